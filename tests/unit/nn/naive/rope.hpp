// Rotary positions (arXiv:2104.09864) and how they are stretched: linear (arXiv:2306.15595), YaRN (arXiv:2309.00071),
// LongRoPE (arXiv:2402.13753), a divisor a frequency.
#pragma once

#include <algorithm>

#include "nn/spec.hpp"
#include "unit/nn/naive/parameters.hpp"

namespace heed::test::naive {

inline constexpr double kPi = 3.14159265358979323846;

/// Radians that pair `pair` of a head turns at `position`.
inline double angle(const nn::RopeSpec& rope, std::size_t pair, std::size_t position, double divisor = 1) {
  const double dims = static_cast<double>(rope.dims), i = static_cast<double>(pair);
  const double unscaled = std::pow(rope.theta, -2 * i / dims) / divisor;
  double frequency = unscaled;
  if (rope.scaling == nn::RopeScaling::linear) frequency = unscaled / rope.factor;
  if (rope.scaling == nn::RopeScaling::yarn) {
    // the ramp is between the pairs that turn 32 times and once within the original context (section 3.2)
    const auto turning = [&](double turns) {
      return dims * std::log(static_cast<double>(rope.original_context) / (2 * kPi * turns)) / (2 * std::log(rope.theta));
    };
    const double first = std::max(0.0, std::floor(turning(rope.fast_turns))),
                 last = std::min(dims - 1, std::ceil(turning(rope.slow_turns)));
    const double interpolated = std::clamp((i - first) / std::max(0.001, last - first), 0.0, 1.0);
    frequency = unscaled * (1 - interpolated) + unscaled / rope.factor * interpolated;
  }
  return static_cast<double>(position) * frequency;
}

/// The factor of cosine and sine.
inline double magnitude(const nn::RopeSpec& rope) {
  const double yarn = rope.scaling == nn::RopeScaling::yarn ? 1 + 0.1 * std::log(rope.factor) : 1;
  return rope.magnitude * yarn;
}

/// The file's divisors of the frequencies, if any, for a context of `positions`.
inline Vector divisors(const nn::RopeSpec& rope, std::size_t positions, const Parameters& parameters) {
  if (rope.scaling == nn::RopeScaling::longrope)
    return parameters.values(positions > rope.original_context ? "rope_factors_long.weight" : "rope_factors_short.weight");
  if (rope.divided && parameters.has("rope_freqs.weight")) return parameters.values("rope_freqs.weight");
  return Vector(rope.dims / 2, 1);
}

/// Rotates the first `dims` values from `x` on, in the file's own order of rows.
inline void rotate(double* x, const nn::RopeSpec& rope, std::size_t position, const Vector& divisors) {
  const bool neighbors = rope.pairing == nn::RopePairing::interleaved;
  for (std::size_t i = 0; i < rope.dims / 2; ++i) {
    double& a = x[neighbors ? 2 * i : i];
    double& b = x[neighbors ? 2 * i + 1 : i + rope.dims / 2];
    const double turned = angle(rope, i, position, divisors[i]);
    const double c = magnitude(rope) * std::cos(turned), s = magnitude(rope) * std::sin(turned);
    const double rotated = a * c - b * s;
    b = a * s + b * c;
    a = rotated;
  }
}

}  // namespace heed::test::naive
