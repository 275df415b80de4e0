// A transcription (engine/transcription.hpp), for JavaScript.
#pragma once

#include <memory>

#include "convert.hpp"
#include "engine/engine.hpp"

namespace heed::bindings {

/// One channel of sound. `sound`: the samples, at `rate` Hz or, if `rate` is 0, the bytes of a WAV file. Throws as read_wav() does.
audio::Sound sound_of(const val& sound, std::size_t rate);

class Transcription {
 public:
  /// sound, rate: as for sound_of().
  Transcription(engine::Engine& engine, const val& sound, std::size_t rate, const val& options);

  bool done() { return transcription_->state().done(); }
  /// Runs a pass. Returns the segments that are complete now: { start, end, seek, text, tokens, begins, times, lengths, positions,
  /// attention, logprob, noSpeech, temperature }. Times are in hundredths of a second, `text` is its bytes, and `lengths` has the
  /// bytes of each token of the text, if tokens have times or attention. Null if interrupted.
  val step();
  /// How much of the sound is done, and its length, in hundredths of a second.
  double heard() { return transcription_->state().progress() * length(); }
  double length() { return static_cast<double>(transcription_->state().length()); }
  std::string language() { return std::string(transcription_->state().language()); }

 private:
  const tokenizer::Tokenizer& tokenizer_;
  std::unique_ptr<engine::Transcription> transcription_;
};

}  // namespace heed::bindings
