// Scores: logits without NaN and +infinity, which can thus be compared and exponentiated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>

namespace heed::sampling {

inline constexpr float kImpossible = -std::numeric_limits<float>::infinity();

/// Maps NaN to -infinity, and +infinity to the largest float. Scores are thus totally ordered, and a difference to the best one is
/// NaN only if all are -infinity.
constexpr float usable_score(float logit) noexcept {
  return logit != logit ? kImpossible : std::min(logit, std::numeric_limits<float>::max());
}

/// The largest usable score. Vectorized, since it runs over the whole vocabulary for each token: comparisons skip NaN, and
/// +infinity is replaced at the end.
inline float best_score(std::span<const float> logits) noexcept {
  typedef float Lanes __attribute__((vector_size(16)));
  constexpr std::size_t kLanes = 4, kAtATime = 4;
  Lanes best[kAtATime];
  for (Lanes& some : best) some = Lanes{} + kImpossible;
  const std::size_t whole = logits.size() / (kLanes * kAtATime) * (kLanes * kAtATime);
  for (std::size_t i = 0; i < whole; i += kLanes * kAtATime)
#pragma clang loop unroll(full)
    for (std::size_t part = 0; part < kAtATime; ++part) {
      Lanes some;
      std::memcpy(&some, logits.data() + i + part * kLanes, sizeof some);
      best[part] = best[part] < some ? some : best[part];
    }
  float last = kImpossible;
  for (const Lanes& some : best)
    for (std::size_t lane = 0; lane < kLanes; ++lane) last = std::max(last, some[lane]);
  for (const float logit : logits.subspan(whole)) last = std::max(last, usable_score(logit));
  return usable_score(last);
}

}  // namespace heed::sampling
