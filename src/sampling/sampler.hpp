// Chooses the next token by its logits: mask, bias, penalties, top-k, top-p, min-p, temperature, and a seeded draw.
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

/// Steps, in order: mask, logit_bias, penalties; then, at temperature 0, the best score; otherwise top_k, top_p, min_p, temperature
/// and a random draw.
struct SamplerOptions {
  float temperature = 0.8f;                           // >= 0; 0 = the best score, the lowest id among equal ones
  std::uint32_t top_k = 40;                           // 0 = off
  float top_p = 0.95f;                                // (0, 1]; 1 = off. Nucleus sampling, arXiv:1904.09751
  float min_p = 0.05f;                                // [0, 1); 0 = off. arXiv:2407.01082
  float repetition_penalty = 1.0f;                    // > 0; 1 = off. CTRL, arXiv:1909.05858
  float frequency_penalty = 0.0f;                     // subtracted once per occurrence of the token
  float presence_penalty = 0.0f;                      // subtracted once if the token occurs
  std::uint32_t penalty_window = 64;                  // penalties count the last penalty_window tokens, prompt included; 0 = off
  std::vector<std::pair<TokenId, float>> logit_bias;  // added to logits; -infinity bans a token
  std::uint64_t seed = 0;
};

/// Throws invalid_argument, naming the option, for a value that is out of range whatever the vocabulary.
void check(const SamplerOptions& options);

class Sampler {
 public:
  /// Throws invalid_argument as check() does, and if logit_bias has an id outside the vocabulary or bans all tokens.
  Sampler(SamplerOptions options, std::size_t vocabulary_size);

  /// Adds a token of the prompt or the text to the history for penalties. Throws invalid_argument for an id outside the vocabulary.
  void accept(TokenId id);

  /// Draws a token. logits: V; NaN counts as -infinity. allowed: a mask with at least one token, or empty for all. The result
  /// depends only on logits, mask, options and history, not on the target. If all scores are -infinity, it is the lowest id that is
  /// allowed or, without a mask, not banned. About O(V). Throws invalid_argument for a wrong number of logits or size of the mask.
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
  std::unordered_map<TokenId, std::uint32_t> counts_;  // occurrences in window_
  std::vector<float> scores_;                          // [V]
  Ranking ranking_;
  std::vector<TokenId> candidates_;
  std::vector<double> weights_;  // of candidates_
};

}  // namespace heed::sampling
