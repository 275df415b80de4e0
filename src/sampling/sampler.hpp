// From logits to the next token: mask, bias, penalties, top-k, top-p, min-p, temperature, and a seeded draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sampling/constraint.hpp"
#include "sampling/random.hpp"
#include "sampling/ranking.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::sampling {

using tokenizer::TokenId;

/// Order, for the tokens that a mask allows: logit_bias, penalties; then the best score if the temperature is 0, otherwise top_k, top_p, min_p, temperature,
/// and a random draw.
struct SamplerOptions {
  float temperature = 0.8f;                           // >= 0; 0: the largest logit, of equal ones the lowest id
  std::uint32_t top_k = 40;                           // 0 = off
  float top_p = 0.95f;                                // (0, 1]; 1 = off. Nucleus sampling, arXiv:1904.09751
  float min_p = 0.05f;                                // [0, 1); 0 = off. arXiv:2407.01082
  float repetition_penalty = 1.0f;                    // > 0; 1 = off. CTRL, arXiv:1909.05858
  float frequency_penalty = 0.0f;                     // subtracted once per occurrence
  float presence_penalty = 0.0f;                      // subtracted once if it occurs
  std::uint32_t penalty_window = 64;                  // number of last tokens, including the prompt's, for penalties; 0 = none
  std::vector<std::pair<TokenId, float>> logit_bias;  // added; -infinity bans a token
  std::uint64_t seed = 0;
};

/// Throws invalid_argument, naming the option, for a value out of range in any vocabulary.
void check(const SamplerOptions& options);

class Sampler {
 public:
  /// Throws invalid_argument as check() does, and for a logit_bias that has an id outside the vocabulary or bans all tokens.
  Sampler(SamplerOptions options, std::size_t vocabulary_size);

  /// Appends a token of the text (of the prompt, too) to the history of penalties. Throws invalid_argument for an id outside
  /// the vocabulary.
  void accept(TokenId id);

  /// logits: V; NaN counts as -infinity. allowed: at least one token; empty: all. The token depends only on logits, mask, options and
  /// history, not on the target. If all scores are -infinity, it is the lowest id that is not banned or, with a mask, that is allowed.
  /// About O(V). Throws invalid_argument for another number of logits or of the mask's bits.
  TokenId sample(std::span<const float> logits, TokenMask allowed = {});

 private:
  void score(std::span<const float> logits, TokenMask allowed);
  void keep_candidates(float best);
  TokenId draw(float best);
  bool has_penalties() const noexcept;

  SamplerOptions options_;
  Random random_;
  TokenId first_allowed_ = 0;    // the lowest id that is not banned
  std::vector<TokenId> window_;  // ring buffer of the last penalty_window tokens
  std::size_t window_next_ = 0;
  std::unordered_map<TokenId, std::uint32_t> counts_;  // of the tokens in window_
  std::vector<float> scores_;                          // V
  Ranking ranking_;
  std::vector<TokenId> candidates_;
  std::vector<double> weights_;  // of candidates_
};

}  // namespace heed::sampling
