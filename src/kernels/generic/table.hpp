// The kernel list: fills the table of one target from the generic algorithms. A target's unit includes its page and this.
#pragma once

#include "kernels/generic/attention.hpp"
#include "kernels/generic/elementwise.hpp"
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
    .quantise = quantise<Isa>,
    .matmul = matmul<Isa>,
    .rms_norm = rms_norm<Isa>,
    .layer_norm = layer_norm<Isa>,
    .rope = rope<Isa>,
    .store_kv = store_kv<Isa>,
    .attention = attention<Isa>,
    .activate = activate<Isa>,
    .add = add<Isa>,
    .softmax = softmax<Isa>,
};

}  // namespace heed::kernels::generic
