// Transcribes a sound: window by window, one pass of the model at a time (arXiv:2212.04356, section 4.5, by the rules of
// whisper.cpp).
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "audio/mel.hpp"
#include "runtime/audio_run.hpp"
#include "runtime/sequence.hpp"
#include "runtime/transcription/alignment.hpp"
#include "runtime/transcription/token_rules.hpp"

namespace heed::runtime {

class Transcriber {
 public:
  /// Throws unsupported for a model that does not transcribe, and for an English-only model with another language or task;
  /// invalid_argument for a language that does not exist, an option out of range, or a model loaded with less than its full
  /// context. The workspace must outlive it.
  Transcriber(Workspace& workspace, std::unique_ptr<const audio::MelSpectrogram> mel, TranscribeOptions options);
  Transcriber(const Transcriber&) = delete;
  Transcriber& operator=(const Transcriber&) = delete;

  Workspace& workspace() const noexcept { return sequence_.workspace(); }
  bool done() const noexcept { return stage_ == Stage::done; }
  /// Runs one pass. Returns the segments that are complete now; nothing if the pass was interrupted, which had no effect. Throws
  /// out_of_memory.
  std::optional<std::vector<TranscribedSegment>> step();

  /// The language's code, once it is known; "en" for models that know no other.
  std::string_view language() const noexcept;
  /// The probability of each language, if it has been detected.
  std::span<const float> language_probabilities() const noexcept { return languages_; }
  /// The fraction transcribed so far, from 0 to 1.
  double progress() const noexcept;
  /// Frames to transcribe.
  std::size_t length() const noexcept { return end_ > start_ ? end_ - start_ : 0; }
  /// All windows so far.
  std::span<const TranscribedWindow> windows() const noexcept { return windows_; }

 private:
  enum class Stage : std::uint8_t { detect, encode, prompt, sample, align, done };

  bool encode(std::size_t frame);
  bool detect_language();
  bool read_prompt();
  bool sample();
  bool align();
  void begin_alignment();
  void begin_window();
  void begin_attempt();
  void take_token(std::span<float> logits);
  void end_attempt();
  void end_window();
  std::optional<std::span<float>> forward(std::span<const TokenId> tokens, std::size_t rows);
  std::vector<TokenId> prompt_of(float temperature) const;

  TranscribeOptions options_;
  const tokenizer::Whisper& words_;
  const tokenizer::WhisperTokens& special_;
  std::unique_ptr<const audio::MelSpectrogram> mel_;
  AudioRun audio_;
  Sequence sequence_;
  bool timed_;
  TokenRules rules_;
  sampling::Random random_;
  std::optional<TokenId> language_;
  std::vector<float> languages_;

  Stage stage_ = Stage::done;
  std::size_t start_ = 0, end_ = 0, seek_ = 0;
  std::vector<TokenId> past_, prompt_, aligned_;  // past_: earlier text; aligned_: the text whose times are being found
  std::vector<AlignmentHead> shown_;              // heads whose attention is asked for
  std::size_t prompt_read_ = 0, attempt_ = 0;
  float no_speech_ = 0;
  std::optional<Candidate> candidate_;
  std::optional<Recorder> recorder_;
  std::vector<TranscribedSegment> segments_;  // segments of the current window
  std::vector<TranscribedSegment> ready_;
  std::vector<TranscribedWindow> windows_;
};

}  // namespace heed::runtime
