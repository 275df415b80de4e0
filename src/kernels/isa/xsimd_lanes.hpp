// The common part of instruction sets whose f32 and i32 lanes are xsimd's (https://github.com/xtensor-stack/xsimd).
#pragma once

#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

namespace heed::kernels::isa {

template <class Arch>
struct XsimdLanes {
  using F32 = xsimd::batch<float, Arch>;
  using I32 = xsimd::batch<std::int32_t, Arch>;
  static constexpr std::size_t kLanes = F32::size;
  static constexpr bool kWidensTiles = false;

  static F32 splat(float x) { return F32(x); }
  static const float* in_memory(const float* constants) { return constants; }
  static F32 load(const float* p) { return F32::load_unaligned(p); }
  static void store(float* p, F32 a) { a.store_unaligned(p); }
  static F32 add(F32 a, F32 b) { return a + b; }
  static F32 sub(F32 a, F32 b) { return a - b; }
  static F32 mul(F32 a, F32 b) { return a * b; }
  static F32 div(F32 a, F32 b) { return a / b; }
  static F32 abs(F32 a) { return xsimd::abs(a); }
  static F32 max(F32 a, F32 b) { return xsimd::select(a < b, b, a); }
  static F32 min(F32 a, F32 b) { return xsimd::select(b < a, b, a); }
  static F32 where_less(F32 a, F32 b, F32 x) { return xsimd::select(a < b, x, F32(0.0f)); }

  static I32 splat_i32(std::int32_t x) { return I32(x); }
  static I32 add(I32 a, I32 b) { return a + b; }
  static I32 mul(I32 a, I32 b) { return a * b; }
  static F32 to_f32(I32 a) { return xsimd::to_float(a); }
  static I32 bits(F32 a) { return xsimd::bitwise_cast<std::int32_t>(a); }
  static F32 from_bits(I32 a) { return xsimd::bitwise_cast<float>(a); }
  template <int N>
  static I32 shift_left(I32 a) {
    return a << N;
  }

  /// load_f16_bits() for sign-extended f16 values.
  static F32 half_bits(I32 halves) {
    // sign extension fills the upper bits of the exponent with the sign; the mask keeps one of them
    return from_bits((halves << 13) & I32(static_cast<std::int32_t>(0x8fffe000u)));
  }
};

}  // namespace heed::kernels::isa
