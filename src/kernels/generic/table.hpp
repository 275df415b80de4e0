// The table of a target, with the generic algorithms for its instruction set. Each unit in targets/ includes its instruction set
// and this.
#pragma once

#include "kernels/generic/attention.hpp"
#include "kernels/generic/elementwise.hpp"
#include "kernels/generic/kv_transfer.hpp"
#include "kernels/generic/linear_attention.hpp"
#include "kernels/generic/matmul.hpp"
#include "kernels/generic/norm.hpp"
#include "kernels/isa/instruction_set.hpp"
#include "kernels/kernels.hpp"

namespace heed::kernels::generic {

template <isa::InstructionSet Isa>
inline constexpr Kernels kTable = {
    .name = Isa::kName,
    .panel_rows = kPanelVectors * Isa::kLanes,
    .panel_bytes = panel_bytes<Isa>,
    .pack_row = pack_row<Isa>,
    .unpack_row = unpack_row<Isa>,
    .quantize = quantize<typename Isa::FloatIsa>,
    .widen = kWiden<Isa>,
    .reads_widened = reads_widened<Isa>,
    .matmul = matmul<Isa>,
    .matvec = matvec<Isa>,
    .add_matvec = add_matvec<typename Isa::FloatIsa>,
    .rms_norm = rms_norm<typename Isa::FloatIsa>,
    .layer_norm = layer_norm<typename Isa::FloatIsa>,
    .rope = rope<typename Isa::FloatIsa>,
    .store_kv = store_kv<typename Isa::FloatIsa>,
    .read_kv = read_kv<typename Isa::FloatIsa>,
    .save_kv = save_kv<typename Isa::FloatIsa>,
    .load_kv = load_kv<typename Isa::FloatIsa>,
    .attention = attention<Isa>,
    .merge_attention = merge_attention<typename Isa::FloatIsa>,
    .finish_attention = finish_attention<typename Isa::FloatIsa>,
    .linear_attention = linear_attention<typename Isa::FloatIsa>,
    .convolve = convolve<typename Isa::FloatIsa>,
    .activate = activate<typename Isa::FloatIsa>,
    .xielu = xielu<typename Isa::FloatIsa>,
    .add = add<typename Isa::FloatIsa>,
    .add_scaled = add_scaled<typename Isa::FloatIsa>,
    .scale = scale<typename Isa::FloatIsa>,
    .softcap = softcap<typename Isa::FloatIsa>,
    .softmax = softmax<typename Isa::FloatIsa>,
};

}  // namespace heed::kernels::generic
