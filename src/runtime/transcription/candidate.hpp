// The tokens of one window of a sound, sampled at one temperature. Decides by the rules of whisper.cpp when they are complete, how
// many of them count, and how far the window then moves.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/transcription/transcription.hpp"
#include "tokenizer/whisper_tokens.hpp"

namespace heed::runtime {

inline constexpr std::size_t kWindowFrames = 3000;
inline constexpr std::size_t kLeastFrames = 10;  // shorter sounds are not transcribed

struct SampledToken {
  tokenizer::TokenId id = 0;
  tokenizer::TokenId time = 0;  // the most probable timestamp at its place
  float logprob = 0;
};

/// Where a window begins (`seek`) and where the sound ends, in frames.
struct WindowPlace {
  std::size_t seek = 0, end = 0;

  /// Whether hardly any sound is left after the next `frames` frames.
  bool ends_after(std::size_t frames) const noexcept { return seek + frames + kLeastFrames >= end; }
};

class Candidate {
 public:
  /// `most`: the most tokens. `timed`: with timestamps.
  Candidate(const tokenizer::WhisperTokens& special, const TranscribeOptions& options, bool timed, WindowPlace place,
            std::size_t most, float temperature);

  /// Appends a token. Returns whether the candidate is complete.
  bool add(const SampledToken& token);

  float temperature() const noexcept { return temperature_; }
  WindowPlace place() const noexcept { return place_; }
  /// All tokens sampled.
  std::span<const SampledToken> all() const noexcept { return tokens_; }
  /// The tokens that become segments: kept(), or all if the candidate has failed.
  std::span<const SampledToken> of_segments() const noexcept { return failed_ ? all() : all().first(kept_); }
  /// The tokens that count.
  std::span<const SampledToken> kept() const noexcept { return all().first(kept_); }
  bool failed() const noexcept { return failed_; }
  /// Frames from the window's first to the last timestamp; all frames of the window if there is no timestamp.
  std::size_t shift() const noexcept { return shift_; }
  /// Frames to the next window. A text that ends with a single timestamp was followed by silence.
  std::size_t next_shift() const noexcept;
  /// The mean logarithm of the probabilities of the tokens that count; -infinity if it has failed.
  double mean_logprob() const noexcept;
  /// Whether it repeats itself: the entropy of its last tokens is low.
  bool repeats() const;

 private:
  tokenizer::WhisperTokens special_;
  std::size_t max_tokens_;
  bool single_, timed_;
  WindowPlace place_;
  std::size_t most_, kept_ = 0, shift_ = kWindowFrames;
  float temperature_;
  bool has_time_ = false, failed_ = false, cut_ = false;  // cut_: by max_tokens
  std::vector<SampledToken> tokens_;
};

}  // namespace heed::runtime
