// Cuts the tokens of a window into segments at their timestamps.
#pragma once

#include <vector>

#include "runtime/transcription/candidate.hpp"
#include "tokenizer/whisper.hpp"

namespace heed::runtime {

/// Segments of text only; `single`: one, whatever its timestamps. `timed`: whether there are timestamps.
std::vector<TranscribedSegment> segments_of(const Candidate& candidate, const tokenizer::Whisper& words, bool single, bool timed);

}  // namespace heed::runtime
