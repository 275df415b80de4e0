// Splits text into words, within which byte pairs are merged. Each model family publishes its pattern as a regular expression;
// here, each is a small function over Unicode categories (word_patterns.cpp).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "tokenizer/unicode.hpp"

namespace heed::tokenizer {

struct Character {
  char32_t code_point;
  Category category;
};

/// Each byte that is not UTF-8 becomes U+FFFD; encoded surrogates are kept.
std::vector<Character> read_characters(std::string_view text);

/// Each letter becomes one lower-case letter, except for U+0130, which becomes a letter and a mark.
std::vector<Character> in_lower_case(std::span<const Character> text);

/// A match at the beginning of a text.
struct Match {
  std::size_t length = 0;  // in characters; 0: no match
  std::size_t skip = 1;    // without a match: the number of characters before the next possible one
};

/// Returns the match at the beginning of `text`, which is the rest of a piece.
using Pattern = Match (*)(std::span<const Character> text) noexcept;

/// Patterns and related settings. Stages are applied in order, each to the pieces of the previous one: its matches and the text
/// between them.
struct Pretokenizer {
  std::span<const Pattern> stages;
  bool tidy_spaces = false;        // DecodeOptions::tidy_spaces has an effect, see tidy_spaces.hpp
  bool whole_words_first = false;  // a word that is a token becomes that token without merging
  bool add_bos = false;            // the default for files without the key
  bool lower_case = false;         // converts the text first
  bool drop_space = false;         // drops words that are white space
};

/// name: the value of tokenizer.ggml.pre. Throws unsupported for an unknown one.
const Pretokenizer& find_pretokenizer(std::string_view name);

/// Calls emit(std::span<const Character>) for each word, in order.
template <class Emit>
void split_words(std::span<const Character> text, std::span<const Pattern> stages, Emit&& emit) {
  if (stages.empty()) {
    if (!text.empty()) emit(text);
    return;
  }
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Match match = stages.front()(text.subspan(at));
    if (match.length == 0) {
      at += match.skip;
      continue;
    }
    split_words(text.subspan(done, at - done), stages.subspan(1), emit);
    split_words(text.subspan(at, match.length), stages.subspan(1), emit);
    at += match.length;
    done = at;
  }
  split_words(text.subspan(done), stages.subspan(1), emit);
}

}  // namespace heed::tokenizer
