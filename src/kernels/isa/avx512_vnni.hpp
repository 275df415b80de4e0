// AVX-512 with its integer dot product, vpdpbusd: https://www.intel.com/content/www/us/en/docs/intrinsics-guide/.
#pragma once

#include <string_view>

#include "kernels/isa/xsimd_x86.hpp"

namespace heed::kernels::isa {

struct Avx512Vnni : XsimdX86<xsimd::avx512bw> {
  using SignedIsa = Avx512Vnni;
  template <int kTop>
  using UnsignedIsa = Avx512Vnni;
  static constexpr std::string_view kName = "avx512-vnni";

  // Adds four products of unsigned weights and signed activations per lane in 32 bits, so eight bits are exact.
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) { return I32(_mm512_dpbusd_epi32(acc, weights.v, activations.v)); }
  static constexpr int kSignedBias = 128;
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) { return dot_u7(acc, activations, weights); }
};

}  // namespace heed::kernels::isa
