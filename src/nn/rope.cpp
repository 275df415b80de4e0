#include "nn/rope.hpp"

#include <algorithm>
#include <cmath>

#include "base/deterministic_math.hpp"

namespace heed::nn {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// YaRN (arXiv:2309.00071, section 3.2): the share of the unscaled frequency i that is kept, by its number of turns within the
/// original context: 1 above fast_turns, 0 below slow_turns, and a ramp over i in between, with its ends rounded outwards.
double kept_share(const RopeSpec& spec, std::size_t i) {
  const double dims = static_cast<double>(spec.dims), last = dims - 1;
  const double log_theta = deterministic_log(spec.theta);
  const auto index_of = [&](double turns) {  // the frequency with this number of turns, as a real number
    return dims * deterministic_log(static_cast<double>(spec.original_context) / (turns * 2 * kPi)) / (2 * log_theta);
  };
  const double low = std::max(0.0, std::floor(index_of(spec.fast_turns)));
  const double high = std::min(last, std::ceil(index_of(spec.slow_turns)));
  const double ramp = (static_cast<double>(i) - low) / std::max(0.001, high - low);
  return 1.0 - std::clamp(ramp, 0.0, 1.0);
}

/// The exponent of pair i: its frequency is theta to the power of minus this.
double exponent(const RopeSpec& spec, std::size_t i) {
  const auto dims = static_cast<double>(spec.dims);
  if (spec.axes == RopeAxes::position || spec.places_pictures()) return 2.0 * static_cast<double>(i) / dims;
  const std::size_t half = spec.dims / 4, second = i / half;
  const auto of_axis = static_cast<double>(i % half);
  const double offset = spec.axes == RopeAxes::alternating ? 2.0 * static_cast<double>(second) / dims : 0.0;
  return 4.0 * of_axis / dims + offset;
}

/// The axis of pair i by its section (arXiv:2409.12191, arXiv:2511.21631); after the last section, the first one follows again.
Axis axis_of_section(const RopeSpec& spec, std::size_t i) {
  const auto& sections = spec.sections;
  i %= std::max<std::size_t>(sections[0] + sections[1] + sections[2] + sections[3], 1);
  if (spec.axes == RopeAxes::interleaved) return i < 3 * sections[i % 3] ? static_cast<Axis>(i % 3) : Axis::other;
  std::size_t axis = 0;
  while (axis < 3 && i >= sections[axis]) i -= sections[axis++];
  return static_cast<Axis>(axis);
}

Axis axis(const RopeSpec& spec, std::size_t i) {
  if (spec.axes == RopeAxes::position) return Axis::time;
  if (spec.places_pictures()) return axis_of_section(spec, i);
  const bool second = i >= spec.dims / 4, columns_first = spec.axes == RopeAxes::columns_rows;
  return second == columns_first ? Axis::row : Axis::column;
}

}  // namespace

Rope::Rope(const RopeSpec& spec, std::size_t slot, std::size_t context_length, Weights& weights)
    : spec_(spec), slot_(slot), magnitude_(spec.magnitude) {
  const std::size_t half = spec.dims / 2;
  if (spec.scaling == RopeScaling::longrope) {
    auto far = weights.vector("rope_factors_long.weight", half), near = weights.vector("rope_factors_short.weight", half);
    const bool beyond = context_length > spec.original_context;
    divisors_ = std::move(beyond ? far : near);
    unused_divisors_ = std::move(beyond ? near : far);
  } else if (spec.divided) {
    divisors_ = weights.optional_vector("rope_freqs.weight", half);
  }
  const double log_theta = deterministic_log(spec.theta);
  for (std::size_t i = 0; i < half; ++i) {
    double frequency = deterministic_exp(-exponent(spec, i) * log_theta);
    axes_.push_back(axis(spec, i));
    if (spec.scaling == RopeScaling::linear) frequency /= spec.factor;
    if (spec.scaling == RopeScaling::yarn) {
      const double kept = kept_share(spec, i);
      frequency = frequency * kept + frequency / spec.factor * (1.0 - kept);
    }
    frequencies_.push_back(axes_.back() == Axis::other && !spec.turns_last ? 0.0 : frequency);
  }
  if (spec.scaling == RopeScaling::yarn) magnitude_ *= 1.0 + 0.1 * deterministic_log(spec.factor);
}

ScratchNeed Rope::need(const RopeSpec& spec, const PassLimits& limits) noexcept {
  return ScratchNeed().allocate<float>(limits.tokens * (spec.dims / 2)).allocate<float>(limits.tokens * (spec.dims / 2));
}

void Rope::fill_angles(Pass& pass) const noexcept {
  const std::size_t half = spec_.dims / 2;
  const Angles angles{pass.scratch.allocate<float>(pass.tokens * half), pass.scratch.allocate<float>(pass.tokens * half)};
  pass.angles[slot_] = angles;
  constexpr double kFurthest = 1 << 30;  // limit of the sine's argument in radians; a sound file stays far below
  pass.pool.parallel_for(pass.tokens, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      const Coordinates at = pass.coordinates_of(t);
      for (std::size_t i = 0; i < half; ++i) {
        const auto position = static_cast<double>(at[axes_[i]]);
        const double divisor = divisors_.empty() ? 1.0 : divisors_[i];
        const double turned = position * frequencies_[i] / divisor;
        const auto angle = deterministic_sine_cosine(std::abs(turned) < kFurthest ? turned : 0.0);
        angles.cosines[t * half + i] = static_cast<float>(angle.cosine * magnitude_);
        angles.sines[t * half + i] = static_cast<float>(angle.sine * magnitude_);
      }
    }
  });
}

}  // namespace heed::nn
