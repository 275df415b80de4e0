// The kernel list: fills the table of one target from the generic algorithms. A target's unit includes its page and this.
#pragma once

#include "kernels/generic/attention.hpp"
#include "kernels/generic/elementwise.hpp"
#include "kernels/generic/kv_transfer.hpp"
#include "kernels/generic/linear_attention.hpp"
#include "kernels/generic/matmul.hpp"
#include "kernels/generic/norm.hpp"
#include "kernels/kernels.hpp"

namespace heed::kernels::generic {

template <class Isa>
inline constexpr Kernels kTable = {
    .name = Isa::kName,
    .panel_rows = kPanelVectors * Isa::kLanes,
    .panel_bytes = panel_bytes<Isa>,
    .pack_row = pack_row<Isa>,
    .unpack_row = unpack_row<Isa>,
    .quantise = quantise<typename Isa::FloatPage>,
    .matmul = matmul<Isa>,
    .matvec = matvec<Isa>,
    .rms_norm = rms_norm<typename Isa::FloatPage>,
    .layer_norm = layer_norm<typename Isa::FloatPage>,
    .rope = rope<typename Isa::FloatPage>,
    .store_kv = store_kv<typename Isa::FloatPage>,
    .save_kv = save_kv<typename Isa::FloatPage>,
    .load_kv = load_kv<typename Isa::FloatPage>,
    .attention = attention<typename Isa::FloatPage>,
    .merge_attention = merge_attention<typename Isa::FloatPage>,
    .finish_attention = finish_attention<typename Isa::FloatPage>,
    .linear_attention = linear_attention<typename Isa::FloatPage>,
    .convolve = convolve<typename Isa::FloatPage>,
    .activate = activate<typename Isa::FloatPage>,
    .xielu = xielu<typename Isa::FloatPage>,
    .add = add<typename Isa::FloatPage>,
    .sigmoid = sigmoid<typename Isa::FloatPage>,
    .add_scaled = add_scaled<typename Isa::FloatPage>,
    .scale = scale<typename Isa::FloatPage>,
    .softcap = softcap<typename Isa::FloatPage>,
    .softmax = softmax<typename Isa::FloatPage>,
};

}  // namespace heed::kernels::generic
