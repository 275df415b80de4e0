// Log-probabilities of tokens under the model alone: temperature 1, no penalties, no filters.
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
  float logprob;  // natural logarithm, correct to a float's precision; -infinity for probability 0
};

/// The `n` most probable tokens, sorted by descending probability, then by id; followed by `chosen` unless it is among them.
/// logits: V; NaN counts as -infinity. Bitwise equal on every target. Throws invalid_argument for `chosen` outside the vocabulary.
std::vector<TokenProbability> top_logprobs(std::span<const float> logits, std::size_t n, std::optional<TokenId> chosen = {});

/// The log-probabilities of `ids`, bitwise equal to those of top_logprobs(). Throws invalid_argument for an id outside the
/// vocabulary.
std::vector<float> logprobs_of(std::span<const float> logits, std::span<const TokenId> ids);

}  // namespace heed::sampling
