// The model's own probabilities: at temperature 1, without penalties and filters.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::sampling {

using tokenizer::TokenId;

struct TokenProbability {
  TokenId id;
  float logprob;  // natural logarithm, within a float's precision; -infinity where the probability is 0
};

/// The `n` most probable tokens in descending order, equal ones by ascending id, then `chosen` if it is given and not among them.
/// logits: V; NaN counts as -infinity. The same bits on every target. Throws invalid_argument for `chosen` outside the vocabulary.
std::vector<TokenProbability> top_logprobs(std::span<const float> logits, std::size_t n, std::optional<TokenId> chosen = {});

/// The natural logarithms of the probabilities of some tokens. Same conditions, and the same bits as above.
std::vector<float> logprobs_of(std::span<const float> logits, std::span<const TokenId> ids);

}  // namespace heed::sampling
