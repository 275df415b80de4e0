// Log-softmax.
#include "sampling/logprobs.hpp"

#include <algorithm>
#include <ranges>
#include <string>

#include "base/deterministic_math.hpp"
#include "base/error.hpp"
#include "sampling/score.hpp"
#include "sampling/softmax.hpp"

namespace heed::sampling {

std::vector<TokenProbability> top_logprobs(std::span<const float> logits, std::size_t n, TokenId chosen) {
  if (chosen < 0 || static_cast<std::size_t>(chosen) >= logits.size())
    throw Error(ErrorCode::invalid_argument, "token " + std::to_string(chosen) + " is not in the vocabulary");

  const auto score = [logits](TokenId id) { return usable_score(logits[static_cast<std::size_t>(id)]); };
  const auto ids = std::views::iota(TokenId{0}, static_cast<TokenId>(logits.size()));
  const float best = best_score(logits);
  const double normaliser = best == kImpossible ? 0.0 : best + deterministic_log(softmax_total(logits, best));

  std::vector<TokenId> top(std::min(n, logits.size()));
  const auto better = [&](TokenId a, TokenId b) { return score(a) > score(b) || (score(a) == score(b) && a < b); };
  std::ranges::partial_sort_copy(ids, top, better);
  if (std::ranges::find(top, chosen) == top.end()) top.push_back(chosen);

  std::vector<TokenProbability> probabilities;
  probabilities.reserve(top.size());
  for (const TokenId id : top) probabilities.push_back({id, static_cast<float>(static_cast<double>(score(id)) - normaliser)});
  return probabilities;
}

}  // namespace heed::sampling
