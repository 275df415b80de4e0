#include "nn/position_bias.hpp"

#include <cmath>
#include <string>

#include "base/deterministic_math.hpp"

namespace heed::nn {
namespace {

/// The series 2^(-steepest / n), 2^(-2 steepest / n), ... for the largest power of two n up to `heads`; heads beyond n take every
/// other term of the series for 2n.
std::vector<float> slopes(std::size_t heads, float steepest) {
  std::size_t n = 1;
  while (2 * n <= heads) n *= 2;
  std::vector<float> slopes;
  for (std::size_t h = 0; h < heads; ++h) {
    const double step = static_cast<double>(steepest) / static_cast<double>(n);
    const double exponent = h < n ? step * static_cast<double>(h + 1) : step / 2 * static_cast<double>(2 * (h - n) + 1);
    slopes.push_back(static_cast<float>(deterministic_exp(-exponent * deterministic_log(2.0))));
  }
  return slopes;
}

}  // namespace

std::size_t relative_bucket(std::ptrdiff_t distance, const PositionBiasSpec& spec, Mask mask) noexcept {
  std::size_t buckets = spec.buckets, first = 0, away = static_cast<std::size_t>(std::abs(distance));
  if (mask == Mask::none) {
    buckets /= 2;
    if (distance > 0) first = buckets;
  } else if (distance > 0) {
    away = 0;
  }
  const std::size_t exact = buckets / 2;
  if (away < exact) return first + away;
  if (away >= spec.furthest) return first + buckets - 1;
  const double share = deterministic_log(static_cast<double>(away) / static_cast<double>(exact)) /
                       deterministic_log(static_cast<double>(spec.furthest) / static_cast<double>(exact));
  const auto beyond = static_cast<std::size_t>(share * static_cast<double>(buckets - exact));
  return first + std::min(exact + beyond, buckets - 1);
}

PositionBias::PositionBias(const PositionBiasSpec& spec, std::size_t heads, Mask mask, std::string_view prefix, Weights& weights)
    : spec_(spec), heads_(heads), mask_(mask) {
  if (spec.kind == PositionBiasKind::linear) slopes_ = slopes(heads, spec.steepest);
  else learned_ = weights.table(std::string(prefix) + "blk.0.attn_rel_b.weight", spec.buckets, heads);
}

ScratchNeed PositionBias::need(std::size_t heads, const PassLimits& limits) noexcept {
  const std::uint64_t entries = limits.segments * (limits.positions + kernels::kWide) + limits.tokens;
  return ScratchNeed().allocate<float>(heads * entries + limits.segments * Buffer<float>::kAlignment);
}

float PositionBias::of(std::size_t head, std::ptrdiff_t distance) const noexcept {
  if (spec_.kind == PositionBiasKind::linear) return -slopes_[head] * static_cast<float>(std::abs(distance));
  return learned_[relative_bucket(distance, spec_, mask_) * heads_ + head];
}

/// Distances range from the last query and the first position to the first query and the last position.
void PositionBias::fill_table(Segment& segment, Pass& pass) const noexcept {
  const std::size_t origin = segment.end() - 1, count = origin + segment.count;
  const std::size_t stride = count + kernels::kWide;  // a kernel reads kWide at a time
  float* table = pass.scratch.allocate<float>(heads_ * stride);
  pass.pool.parallel_for(heads_, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t head = begin; head < end; ++head)
      for (std::size_t i = 0; i < stride; ++i)
        table[head * stride + i] = of(head, static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(origin));
  });
  segment.bias = {table, stride, origin};
}

}  // namespace heed::nn
