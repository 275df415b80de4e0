// Cuts text into words, the units within which byte pairs merge. Every family of models has its pattern,
// published as a regular expression; here each is a small function over Unicode categories
// (word_patterns.cpp).
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

/// Bytes that are not UTF-8 become U+FFFD, one for each; encoded surrogates stay.
std::vector<Character> read_characters(std::string_view text);

/// Every letter has one lower-case letter, but for U+0130, whose dot becomes a mark of its own.
std::vector<Character> in_lower_case(std::span<const Character> text);

/// What a pattern finds at the beginning of a text.
struct Match {
  std::size_t length = 0;  // in characters; 0 where there is none
  std::size_t skip = 1;    // where there is none: how far on the next may begin
};

/// `text` reaches to the end of the piece, beyond which a pattern must not look.
using Pattern = Match (*)(std::span<const Character> text) noexcept;

/// Patterns applied one after the other, each to the pieces that the one before left (its matches and what
/// lies between them), and habits that go with them.
struct Pretokenizer {
  std::span<const Pattern> stages;
  bool tidy_spaces = false;        // decoding may, see tidy_spaces.hpp
  bool whole_words_first = false;  // a word that is a token needs no merges
  bool add_bos = false;            // where the file does not say
  bool lower_case = false;         // of the text, before anything else
  bool drop_space = false;         // words of white space go
};

/// By a name in tokenizer.ggml.pre. Throws unsupported for one that Heed does not know.
const Pretokenizer& find_pretokenizer(std::string_view name);

/// `emit(std::span<const Character>)` for every word, in order.
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
