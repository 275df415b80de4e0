// AArch64 with its integer dot product, sdot: https://developer.arm.com/documentation/ddi0602 (FEAT_DotProd).
#pragma once

#include <string_view>

#include "kernels/isa/neon.hpp"

namespace heed::kernels::isa {

struct NeonDotprod : Neon {
  using SignedIsa = NeonDotprod;
  template <int kTop>
  using UnsignedIsa = NeonDotprod;
  using Dot = I32;
  static constexpr std::string_view kName = "neon-dotprod";

  static Dot dot_start(I32 start) { return start; }
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) {
    return I32(vdotq_s32(acc, vreinterpretq_s8_u8(activations.v), vreinterpretq_s8_u8(weights.v)));
  }
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) { return dot_i8(acc, activations, weights); }
  static I32 dot_sum(Dot acc) { return acc; }
};

}  // namespace heed::kernels::isa
