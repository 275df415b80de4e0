// The options and the results of a transcription. Times are in hundredths of a second, which are the frames of a sound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/requests.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// A decoder head that attends to the sound of the word being written.
struct AlignmentHead {
  std::size_t layer = 0, head = 0;

  bool operator==(const AlignmentHead&) const = default;
};

enum class Task : std::uint8_t { transcribe, translate };  // translate: to English

struct TranscribeOptions {
  std::string language = "en";  // its code, or "auto"; English-only models know no other
  Task task = Task::transcribe;
  bool timestamps = true;            // let the model predict timestamps, at which segments begin and end
  bool single_segment = false;       // at most one segment per window of 30 seconds
  std::string prompt = {};           // treated as text that was said before the sound
  bool suppress_blank = true;        // never begin with a space or the end
  bool suppress_non_speech = false;  // never write symbols that mark other sounds
  std::size_t max_tokens = 0;        // of a segment; 0: no limit
  std::size_t offset = 0;            // where in the sound to begin
  std::size_t duration = 0;          // how much to transcribe; 0: all
  std::size_t audio_positions = 0;   // positions of a window of the tower, two frames each; 0: as many as it can read
  std::vector<float> temperatures = {0.0f, 0.2f, 0.4f, 0.6f, 0.8f, 1.0f};  // tried in turn, until a window's text is plausible
  std::uint64_t seed = 0;
  bool words = false;                                // find the times of text tokens
  std::vector<AlignmentHead> heads = {};             // the heads that tell these times; empty: alignment_heads()
  std::optional<AttentionSelection> attention = {};  // report the attention of these heads to the sound
};

struct TranscribedSegment {
  std::size_t start = 0, end = 0;
  std::size_t seek = 0;   // where its window begins
  std::string text = {};  // bytes, which may end inside a character
  std::vector<tokenizer::TokenId> tokens = {};
  std::vector<std::size_t> begins = {},
                           times = {};  // of each text token, if words are asked for: where it begins, and where the next begins
  std::size_t positions = 0;            // of the window's sound, from `seek` on: 2 hundredths of a second each
  std::vector<float> attention = {};    // if asked for: heads x text tokens x positions, when each token was predicted
  float mean_logprob = 0;               // mean over the tokens of the segment's window
  float no_speech = 0;                  // the probability that nobody speaks in the window
  float temperature = 0;
};

/// One window of the sound, for comparison with other engines.
struct TranscribedWindow {
  std::size_t seek = 0;
  std::vector<tokenizer::TokenId> prompt = {}, ids = {};
};

}  // namespace heed::runtime
