// From logits to the next token: penalties, bias, temperature, top-k, top-p, min-p, and a seeded draw.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::sampling {

using tokenizer::TokenId;

/// Applied in this order: logit_bias, penalties, then temperature 0 = greedy; else top_k, top_p, min_p, temperature, draw.
struct SamplerOptions {
  float temperature = 0.8f;         // >= 0; 0 takes the largest logit, the lowest id among equals
  std::uint32_t top_k = 40;         // 0 = off
  float top_p = 0.95f;              // (0, 1]; 1 = off. Nucleus sampling, arXiv:1904.09751
  float min_p = 0.05f;              // [0, 1); 0 = off. arXiv:2407.01082
  float repetition_penalty = 1.0f;  // > 0; 1 = off. CTRL, arXiv:1909.05858
  float frequency_penalty = 0.0f;   // subtracted once per occurrence
  float presence_penalty = 0.0f;    // subtracted once if it occurs
  std::uint32_t penalty_window = 64;  // the last tokens, prompt included, that penalties look at; 0 = none
  std::vector<std::pair<TokenId, float>> logit_bias;  // added; -infinity bans a token
  std::uint64_t seed = 0;
};

struct TokenProbability {
  TokenId id;
  float logprob;  // natural logarithm of the model's own probability (temperature 1, before penalties and filters)
};

class Sampler {
 public:
  /// Throws invalid_argument, naming the option, for a value out of its range or a biased id >= vocabulary_size.
  Sampler(SamplerOptions options, std::size_t vocabulary_size);

  /// A token that is now part of the sequence (prompt tokens too), for the penalties.
  void accept(TokenId id);

  /// logits: V. The same logits, options and history give the same token on every target.
  TokenId sample(std::span<const float> logits);

 private:
  SamplerOptions options_;
  std::uint64_t state_;
  std::vector<TokenId> history_;  // ring of penalty_window tokens
  std::size_t history_next_ = 0;
  std::vector<float> scores_;     // V
  std::vector<TokenId> order_;
};

/// The n most probable tokens, most probable first, then the given token if it is not among them.
std::vector<TokenProbability> top_logprobs(std::span<const float> logits, std::size_t n, TokenId chosen);

}  // namespace heed::sampling
