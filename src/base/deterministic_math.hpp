// exp and log from + - * / and the bits of a double alone: no libm, so that every target gives the same bits.
// Reduction to a small interval, then the series; within 3 ulp (tests/unit/base/deterministic_math_test.cpp measures).
// Relies on the build's -ffp-contract=off: a fused multiply-add would round differently.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace heed {

/// e^x. Below -708 exactly 0 (the results there would be subnormal), above 709 infinity; NaN gives NaN.
constexpr double deterministic_exp(double x) noexcept {
  if (x != x) return x;
  if (x < -708.0) return 0.0;
  if (x > 709.0) return std::numeric_limits<double>::infinity();
  // x = n ln 2 + r with |r| <= ln 2 / 2; ln 2 is split so that n times its upper part is exact.
  constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
  constexpr double kLn2High = 0x1.62e42feep-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  const auto n = static_cast<std::int64_t>(x * kInverseLn2 + (x < 0 ? -0.5 : 0.5));
  const double r = x - static_cast<double>(n) * kLn2High - static_cast<double>(n) * kLn2Low;
  constexpr double kInverseFactorials[] = {
      1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
      1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       1.0 / 2,      1.0,         1.0};
  double series = 0.0;
  for (const double coefficient : kInverseFactorials) series = series * r + coefficient;
  return series * std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// Natural logarithm of a normal x > 0.
constexpr double deterministic_log(double x) noexcept {
  // x = 2^n m with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh(s), s = (m - 1) / (m + 1), to s^21 / 21.
  constexpr double kLn2High = 0x1.62e42feep-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto n = static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000f'ffff'ffff'ffff) | 0x3ff0'0000'0000'0000);
  if (m >= kSqrt2) {
    m *= 0.5;
    ++n;
  }
  const double s = (m - 1.0) / (m + 1.0);
  double series = 0.0;
  for (int k = 21; k >= 3; k -= 2) series = (series + 1.0 / k) * (s * s);
  const double exponent = static_cast<double>(n);
  return exponent * kLn2High + (exponent * kLn2Low + 2.0 * (s + s * series));
}

}  // namespace heed
