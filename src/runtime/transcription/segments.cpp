#include "runtime/transcription/segments.hpp"

#include <utility>

namespace heed::runtime {

std::vector<TranscribedSegment> segments_of(const Candidate& candidate, const tokenizer::Whisper& words, bool single, bool timed) {
  const tokenizer::WhisperTokens& special = words.special();
  const auto tokens = candidate.of_segments();
  const std::size_t seek = candidate.place().seek;
  std::vector<TranscribedSegment> segments;
  if (tokens.empty()) return segments;
  const auto time_of = [&](tokenizer::TokenId time) { return seek + 2 * static_cast<std::size_t>(time - special.first_time); };
  const auto ends_segment = [&](std::size_t i) { return tokens[i].id > special.first_time && !single; };

  TranscribedSegment segment{.start = timed ? time_of(tokens[0].time) : seek};
  const auto end_at = [&](std::size_t end) {
    segment.end = end;
    if (!segment.text.empty()) segments.push_back(std::move(segment));
    segment = {};
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    segment.tokens.push_back(tokens[i].id);
    if (tokens[i].id < special.end) segment.text += words.token_bytes(tokens[i].id, false);
    if (!ends_segment(i)) continue;
    end_at(time_of(tokens[i].id));
    while (i + 1 < tokens.size() && ends_segment(i + 1)) ++i;
    segment.start = time_of(tokens[i].id);  // the last of adjacent timestamps
  }
  end_at(seek + candidate.shift());
  const auto mean = static_cast<float>(candidate.mean_logprob());
  for (TranscribedSegment& each : segments) {
    each.seek = seek;
    each.mean_logprob = mean;
    each.temperature = candidate.temperature();
  }
  return segments;
}

}  // namespace heed::runtime
