// What a logit has to be before it is compared or exponentiated.
#pragma once

#include <algorithm>
#include <limits>

namespace heed::sampling {

inline constexpr float kImpossible = -std::numeric_limits<float>::infinity();

/// NaN becomes -infinity, +infinity the largest float: scores are then totally ordered, and differences to
/// the best one are NaN only where all are -infinity.
constexpr float usable_score(float logit) noexcept {
  return logit != logit ? kImpossible : std::min(logit, std::numeric_limits<float>::max());
}

}  // namespace heed::sampling
