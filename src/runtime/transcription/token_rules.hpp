// Which tokens may come next in a transcription, by the rules of whisper.cpp, and the choice among them.
#pragma once

#include <span>
#include <vector>

#include "runtime/transcription/candidate.hpp"
#include "sampling/random.hpp"
#include "tokenizer/whisper.hpp"

namespace heed::runtime {

class TokenRules {
 public:
  /// `timed`: with timestamps. `positions`: the tower's positions in 30 seconds. Both references must outlive it.
  TokenRules(const tokenizer::Whisper& words, const TranscribeOptions& options, bool timed, std::size_t positions);

  /// Samples the next token after `before` from its logits (V). Changes the logits: forbidden tokens get -infinity.
  SampledToken sample(std::span<float> logits, std::span<const SampledToken> before, float temperature,
                      sampling::Random& random) const;

 private:
  void suppress(std::span<float> logits, std::span<const SampledToken> before) const;

  const tokenizer::WhisperTokens& special_;
  const TranscribeOptions& options_;
  bool timed_;
  tokenizer::TokenId latest_first_;                // the latest timestamp that a window may begin with
  std::vector<tokenizer::TokenId> never_, blank_;  // blank_: forbidden as the first token only
};

}  // namespace heed::runtime
