// Scores: logits without NaN and +infinity, which can thus be compared and exponentiated.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace heed::sampling {

inline constexpr float kImpossible = -std::numeric_limits<float>::infinity();

/// Maps NaN to -infinity, and +infinity to the largest float. Scores are thus totally ordered, and a difference to the best one is
/// NaN only if all are -infinity.
constexpr float usable_score(float logit) noexcept {
  return logit != logit ? kImpossible : std::min(logit, std::numeric_limits<float>::max());
}

/// The largest usable score. Computes sixteen maxima, which compilers keep in vector registers because the remaining logits have a
/// maximum of their own.
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
