// What a logit has to be before it is compared or exponentiated.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace heed::sampling {

inline constexpr float kImpossible = -std::numeric_limits<float>::infinity();

/// NaN becomes -infinity, +infinity the largest float: scores are then totally ordered, and differences to
/// the best one are NaN only where all are -infinity.
constexpr float usable_score(float logit) noexcept {
  return logit != logit ? kImpossible : std::min(logit, std::numeric_limits<float>::max());
}

/// The largest usable score. Sixteen running ones, which compilers keep in vectors; the last logits are not among them,
/// or those would have to lie in memory.
inline float best_score(std::span<const float> logits) noexcept {
  constexpr std::size_t kLanes = 16;
  std::array<float, kLanes> best;
  best.fill(kImpossible);
  float last = kImpossible;
  const std::size_t whole = logits.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) best[lane] = std::max(best[lane], usable_score(logits[i + lane]));
  for (std::size_t i = whole; i < logits.size(); ++i) last = std::max(last, usable_score(logits[i]));
  for (const float score : best) last = std::max(last, score);
  return last;
}

}  // namespace heed::sampling
