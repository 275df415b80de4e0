// A transcription of a sound, one pass at a time (runtime/transcription/transcriber.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audio/wav.hpp"
#include "runtime/transcription/transcriber.hpp"

namespace heed::engine {

class Transcription {
 public:
  /// Throws what the transcriber throws, and invalid_argument for a sound that check_sound() refuses. The workspace must outlive it.
  Transcription(runtime::Workspace& workspace, audio::Sound sound, runtime::TranscribeOptions options);

  /// Runs one pass. Returns the segments that are complete now; absent if the pass was interrupted.
  std::optional<std::vector<runtime::TranscribedSegment>> step();
  const runtime::Transcriber& state() const noexcept { return transcriber_; }

 private:
  runtime::Transcriber transcriber_;
};

}  // namespace heed::engine
