// Log-softmax: logprob = score - normalizer.
#include "sampling/logprobs.hpp"

#include <algorithm>
#include <ranges>
#include <string>

#include "base/deterministic_math.hpp"
#include "base/error.hpp"
#include "sampling/score.hpp"
#include "sampling/softmax.hpp"

namespace heed::sampling {
namespace {

void check(TokenId id, std::span<const float> logits) {
  if (id < 0 || static_cast<std::size_t>(id) >= logits.size())
    throw Error(ErrorCode::invalid_argument, "token " + std::to_string(id) + " is not in the vocabulary");
}

/// ln(sum of e^score).
double normalizer_of(std::span<const float> logits) {
  const float best = best_score(logits);
  return best == kImpossible ? 0.0 : best + deterministic_log(softmax_total(logits, best));
}

float score_of(std::span<const float> logits, TokenId id) { return usable_score(logits[static_cast<std::size_t>(id)]); }

float logprob(std::span<const float> logits, TokenId id, double normalizer) {
  return static_cast<float>(static_cast<double>(score_of(logits, id)) - normalizer);
}

}  // namespace

std::vector<TokenProbability> top_logprobs(std::span<const float> logits, std::size_t n, std::optional<TokenId> chosen) {
  if (chosen) check(*chosen, logits);
  const auto ids = std::views::iota(TokenId{0}, static_cast<TokenId>(logits.size()));
  std::vector<TokenId> top(std::min(n, logits.size()));
  std::ranges::partial_sort_copy(ids, top, [&](TokenId a, TokenId b) {
    const float of_a = score_of(logits, a), of_b = score_of(logits, b);
    return of_a > of_b || (of_a == of_b && a < b);
  });
  if (chosen && std::ranges::find(top, *chosen) == top.end()) top.push_back(*chosen);

  const double normalizer = normalizer_of(logits);
  std::vector<TokenProbability> probabilities;
  probabilities.reserve(top.size());
  for (const TokenId id : top) probabilities.push_back({id, logprob(logits, id, normalizer)});
  return probabilities;
}

std::vector<float> logprobs_of(std::span<const float> logits, std::span<const TokenId> ids) {
  for (const TokenId id : ids) check(id, logits);
  const double normalizer = normalizer_of(logits);
  std::vector<float> probabilities;
  probabilities.reserve(ids.size());
  for (const TokenId id : ids) probabilities.push_back(logprob(logits, id, normalizer));
  return probabilities;
}

}  // namespace heed::sampling
