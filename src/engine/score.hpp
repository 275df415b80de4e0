// The probability of a text, from the log-probabilities of its tokens.
#pragma once

#include <optional>
#include <span>

#include "base/deterministic_math.hpp"

namespace heed::engine {

struct Score {
  double sum = 0;                         // of the tokens' natural log-probabilities
  std::optional<double> mean;             // per token; absent if there are none
  std::optional<double> perplexity = {};  // e^-mean
};

inline Score score_of(std::span<const float> logprobs) noexcept {
  Score score;
  for (const float logprob : logprobs) score.sum += static_cast<double>(logprob);
  if (logprobs.empty()) return score;
  score.mean = score.sum / static_cast<double>(logprobs.size());
  score.perplexity = deterministic_exp(-*score.mean);
  return score;
}

}  // namespace heed::engine
