// exp and functions of it, from multiplications and additions only, so that every target gives the same bits.
// Range reduction and evaluation as in Muller et al., Handbook of Floating-Point Arithmetic, chapter 11.
#pragma once

#include "kernels/kernels.hpp"

namespace heed::kernels::generic {

/// Adding it rounds |x| < 2^22 to the nearest integer, ties to even, because the sum has no bits for a fraction.
inline constexpr float kRoundingShift = 12582912.0f;  // 1.5 * 2^23

/// If no magnitude is above this, all codes are 0: for much smaller ones, the factor to integer codes would be infinite.
inline constexpr float kSmallestTop = 0x1p-112f;

/// The factor that maps `top` to the integer code `steps` (127, or up to 32767); 0, so that all codes are 0, if `top` is too small.
static inline float steps_per_unit(float steps, float top) { return top > kSmallestTop ? steps / top : 0.0f; }

struct ExpConstants {
  float lowest = -87.3f, highest = 88.3f;
  float log2_e = 1.44269504f, ln_2 = 0.693359375f, rest_of_ln_2 = -2.12194440e-4f;  // n times ln_2 is exact
  float shift = kRoundingShift, one = 1.0f;
  float coefficients[5] = {1.38144671e-3f, 8.36878041e-3f, 4.16683942e-2f, 1.66665201e-1f, 4.99999934e-1f};  // minimax polynomial
};
inline constexpr ExpConstants kExpConstants;

/// e^x to 2 units in the last place on [-87.3, 88.3]; zero below, e^88.3 above.
template <class Isa>
typename Isa::F32 exp(typename Isa::F32 x) {
  const auto& k = *reinterpret_cast<const ExpConstants*>(Isa::in_memory(&kExpConstants.lowest));
  const auto lowest = Isa::splat(k.lowest), shift = Isa::splat(k.shift);
  const auto in_range = Isa::max(lowest, Isa::min(Isa::splat(k.highest), x));
  // x = n ln 2 + r, |r| <= ln 2 / 2
  const auto shifted = Isa::add(Isa::mul(in_range, Isa::splat(k.log2_e)), shift);
  const auto n = Isa::sub(shifted, shift);
  const auto r = Isa::sub(Isa::sub(in_range, Isa::mul(n, Isa::splat(k.ln_2))), Isa::mul(n, Isa::splat(k.rest_of_ln_2)));
  // e^r = 1 + r + r^2 q(r), q of degree 4
  auto q = Isa::splat(k.coefficients[0]);
  for (std::size_t i = 1; i < 5; ++i) q = Isa::add(Isa::mul(q, r), Isa::splat(k.coefficients[i]));
  const auto power = Isa::add(Isa::add(Isa::mul(Isa::mul(r, r), q), r), Isa::splat(k.one));
  // times 2^n: n is in the low bits of `shifted`
  const auto scaled = Isa::from_bits(Isa::add(Isa::bits(power), Isa::template shift_left<23>(Isa::bits(shifted))));
  return Isa::where_less(lowest, x, scaled);
}

/// 1 / (1 + e^-x)
template <class Isa>
typename Isa::F32 sigmoid(typename Isa::F32 x) {
  const auto one = Isa::splat(1.0f);
  return Isa::div(one, Isa::add(one, exp<Isa>(Isa::sub(Isa::splat(0.0f), x))));
}

/// max(x, 0)^2, arXiv:2109.08668
template <class Isa>
typename Isa::F32 relu_squared(typename Isa::F32 x) {
  const auto positive = Isa::max(Isa::splat(0.0f), x);
  return Isa::mul(positive, positive);
}

/// x / (1 + e^-x), arXiv:1702.03118
template <class Isa>
typename Isa::F32 silu(typename Isa::F32 x) {
  const auto one = Isa::splat(1.0f);
  return Isa::div(x, Isa::add(one, exp<Isa>(Isa::sub(Isa::splat(0.0f), x))));
}

/// tanh x = 1 - 2 / (e^2x + 1); absolute error 1e-7
template <class Isa>
typename Isa::F32 tanh(typename Isa::F32 x) {
  const auto one = Isa::splat(1.0f);
  const auto doubled = exp<Isa>(Isa::add(x, x));
  return Isa::sub(one, Isa::div(Isa::splat(2.0f), Isa::add(doubled, one)));
}

/// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), arXiv:1606.08415
template <class Isa>
typename Isa::F32 gelu_tanh(typename Isa::F32 x) {
  const auto cube = Isa::mul(Isa::mul(x, x), x);
  const auto inner = Isa::mul(Isa::splat(0.797884561f), Isa::add(x, Isa::mul(Isa::splat(0.044715f), cube)));
  return Isa::mul(Isa::mul(Isa::splat(0.5f), x), Isa::add(Isa::splat(1.0f), tanh<Isa>(inner)));
}

/// x / (1 + e^(-1.702 x)), arXiv:1606.08415
template <class Isa>
typename Isa::F32 gelu_quick(typename Isa::F32 x) {
  const auto one = Isa::splat(1.0f);
  return Isa::div(x, Isa::add(one, exp<Isa>(Isa::mul(Isa::splat(-1.702f), x))));
}

/// x Phi(x) = x - x erfc(x / sqrt 2) / 2 where x > 0, and x erfc(-x / sqrt 2) / 2 elsewhere; erfc as in Abramowitz and
/// Stegun, 7.1.26. Absolute error 2e-7.
template <class Isa>
typename Isa::F32 gelu(typename Isa::F32 x) {
  const auto zero = Isa::splat(0.0f), one = Isa::splat(1.0f);
  const auto magnitude = Isa::max(x, Isa::sub(zero, x));
  const auto z = Isa::mul(magnitude, Isa::splat(0.707106781f));
  const auto t = Isa::div(one, Isa::add(one, Isa::mul(Isa::splat(0.3275911f), z)));
  auto q = Isa::splat(1.061405429f);
  for (float coefficient : {-1.453152027f, 1.421413741f, -0.284496736f, 0.254829592f})
    q = Isa::add(Isa::mul(q, t), Isa::splat(coefficient));
  const auto erfc = Isa::mul(Isa::mul(q, t), exp<Isa>(Isa::sub(zero, Isa::mul(z, z))));
  const auto tail = Isa::mul(Isa::mul(Isa::splat(0.5f), magnitude), erfc);
  return Isa::sub(Isa::max(zero, x), tail);
}

}  // namespace heed::kernels::generic
