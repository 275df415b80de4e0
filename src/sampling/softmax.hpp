// Softmax weights, and their sum over a whole vocabulary. The same bits on every target: no libm, one order
// of addition.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace heed::sampling {

/// e^difference for difference <= 0, within 1e-11 relative; exactly 0 below -700. Without branches, so that
/// compilers compute several at once. The caller's -ffp-contract=off keeps its rounding the same everywhere.
constexpr double softmax_weight(double difference) noexcept {
  // difference = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5 * 2^52 rounds to an integer and leaves it in the
  // low bits.
  constexpr double kLeast = -700.0;
  constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
  constexpr double kLn2High = 0x1.62e42feep-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  constexpr double kRounder = 0x1.8p52;
  const double x = difference > kLeast ? difference : kLeast;
  const double shifted = x * kInverseLn2 + kRounder;
  const double n = shifted - kRounder;
  const double r = x - n * kLn2High - n * kLn2Low;
  constexpr double kInverseFactorials[] = {1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                                           1.0 / 24,     1.0 / 6,     1.0 / 2,    1.0,       1.0};
  double series = 0.0;
  for (const double coefficient : kInverseFactorials) series = series * r + coefficient;
  const double power = std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
  return difference >= kLeast ? series * power : 0.0;
}

/// The sum of e^(usable_score(logit) - best) over all logits, where `best` is the largest usable score: within 1e-6
/// relative.
double softmax_total(std::span<const float> logits, float best) noexcept;

}  // namespace heed::sampling
