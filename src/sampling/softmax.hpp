// Softmax weights and their sum over the vocabulary, bitwise equal on every target: without libm, in a fixed order of addition.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace heed::sampling {

/// Constants for e^x: ln 2 as a sum of two parts, the first with trailing zeros, and the coefficients of the series.
template <class Real>
struct ExpTerms;

template <>
struct ExpTerms<double> {
  using Bits = std::uint64_t;
  static constexpr int kMantissa = 52, kBias = 1023;
  static constexpr double kLeast = -700.0, kInverseLn2 = 0x1.71547652b82fep+0;
  static constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;
  static constexpr double kInverseFactorials[] = {1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                                                  1.0 / 24,     1.0 / 6,     1.0 / 2,    1.0,       1.0};
};

template <>
struct ExpTerms<float> {
  using Bits = std::uint32_t;
  static constexpr int kMantissa = 23, kBias = 127;
  static constexpr float kLeast = -87.0f, kInverseLn2 = 0x1.715476p+0f;
  static constexpr float kLn2High = 0x1.63p-1f, kLn2Low = -0x1.bd0106p-13f;
  static constexpr float kInverseFactorials[] = {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f};
};

/// e^difference. Requires difference <= 0. Relative error: 1e-11, for float 3e-7; exactly 0 below -700, for float below -87.
/// Without branches, so that compilers vectorize it. Requires -ffp-contract=off for the same bits everywhere.
template <class Real>
constexpr Real softmax_weight(Real difference) noexcept {
  // difference = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5 * 2^kMantissa rounds to an integer, in the low bits.
  using Terms = ExpTerms<Real>;
  using Bits = typename Terms::Bits;
  constexpr Real kRounder = static_cast<Real>(Bits{3} << (Terms::kMantissa - 1));
  const Real x = difference > Terms::kLeast ? difference : Terms::kLeast;
  const Real shifted = x * Terms::kInverseLn2 + kRounder;
  const Real n = shifted - kRounder;
  const Real r = x - n * Terms::kLn2High - n * Terms::kLn2Low;
  Real series = 0;
  for (const Real coefficient : Terms::kInverseFactorials) series = series * r + coefficient;
  const Real power = std::bit_cast<Real>((std::bit_cast<Bits>(shifted) + Terms::kBias) << Terms::kMantissa);
  return difference >= Terms::kLeast ? series * power : 0;
}

/// The sum of e^(usable_score(logit) - best) over all logits, with a relative error of 1e-6. best: the largest usable score.
double softmax_total(std::span<const float> logits, float best) noexcept;

}  // namespace heed::sampling
