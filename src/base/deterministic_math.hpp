// exp, log, softplus, sine and cosine with the same bits on every target: without libm, from + - * / and the bits of doubles.
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

/// ln(1 + e^x).
constexpr double deterministic_softplus(double x) noexcept {
  if (x > 40.0) return x;
  const double e = deterministic_exp(x);
  return e < 1e-6 ? e - e * e / 2 : deterministic_log(1.0 + e);
}

struct SineCosine {
  double sine, cosine;
};

/// Sine and cosine of an angle in radians, |x| < 2^30, to 1e-15 absolute for |x| < 2^20.
constexpr SineCosine deterministic_sine_cosine(double x) noexcept {
  // x = n pi/2 + r with |r| <= pi/4; pi/2 in three parts, of which n times the first two is exact (Cody and Waite).
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr double kHalfPi[] = {0x1.921fb5p+0, 0x1.110b46p-26, 0x1.1a62633145c07p-54};
  const auto n = static_cast<std::int64_t>(x * kTwoOverPi + (x < 0 ? -0.5 : 0.5));
  const auto turns = static_cast<double>(n);
  const double r = ((x - turns * kHalfPi[0]) - turns * kHalfPi[1]) - turns * kHalfPi[2];
  const double square = r * r;
  double sine = 0.0, cosine = 0.0;  // Taylor, to r^17 / 17! and r^18 / 18!
  for (int k = 17; k >= 3; k -= 2) sine = (1.0 + sine) * (-square / (k * (k - 1)));
  for (int k = 18; k >= 2; k -= 2) cosine = (1.0 + cosine) * (-square / (k * (k - 1)));
  sine = r + r * sine;
  cosine = 1.0 + cosine;
  switch (n & 3) {
    case 0: return {sine, cosine};
    case 1: return {cosine, -sine};
    case 2: return {-sine, -cosine};
    default: return {-cosine, sine};
  }
}

}  // namespace heed
