// Cuts the tokens of a window into segments at their timestamps.
#pragma once

#include <vector>

#include "runtime/transcription/candidate.hpp"
#include "tokenizer/whisper.hpp"

namespace heed::runtime {

/// The segments that have text. `single`: one segment, whatever its timestamps. `timed`: whether there are timestamps.
std::vector<TranscribedSegment> segments_of(const Candidate& candidate, const tokenizer::Whisper& words, bool single, bool timed);

}  // namespace heed::runtime
