// Parts of word patterns: character classes, runs, and subpatterns that many patterns share.
#pragma once

#include <algorithm>
#include <limits>
#include <string_view>

#include "tokenizer/word_patterns.hpp"

namespace heed::tokenizer::patterns {

inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
inline constexpr Category kNeitherSpaceLetterNumber = kPunctuation | kSymbol | kMark | kOther;
inline constexpr Category kNeitherLetterNumber = kNeitherSpaceLetterNumber | kSpace;

// Character i; past the end, one without a category.
inline Character at(Text text, std::size_t i) noexcept { return i < text.size() ? text[i] : Character{0, 0}; }
inline char32_t code(Text text, std::size_t i) noexcept { return at(text, i).code_point; }
inline bool is(Character c, Category categories) noexcept { return (c.category & categories) != 0; }
inline bool is(Text text, std::size_t i, Category categories) noexcept { return is(at(text, i), categories); }

inline bool is_upper(char32_t c) noexcept { return c >= 'A' && c <= 'Z'; }
inline bool is_lower(char32_t c) noexcept { return c >= 'a' && c <= 'z'; }
inline bool is_digit(char32_t c) noexcept { return c >= '0' && c <= '9'; }
inline bool is_newline(char32_t c) noexcept { return c == '\r' || c == '\n'; }
inline bool is_one_of(char32_t c, std::u32string_view set) noexcept { return set.find(c) != set.npos; }

/// ranges: pairs of the first and the last character of each range.
inline bool is_within(char32_t c, std::u32string_view ranges) noexcept {
  for (std::size_t i = 0; i < ranges.size(); i += 2) {
    if (c >= ranges[i] && c <= ranges[i + 1]) return true;
  }
  return false;
}

/// The end of the longest run of accepted characters from `begin` on.
template <class Accept>
std::size_t run_while(Text text, std::size_t begin, Accept&& accept, std::size_t longest = kUnlimited) noexcept {
  std::size_t end = begin;
  while (end < text.size() && end - begin < longest && accept(text[end])) ++end;
  return end;
}

inline std::size_t run(Text text, std::size_t begin, Category categories, std::size_t longest = kUnlimited) noexcept {
  return run_while(text, begin, [=](Character c) { return is(c, categories); }, longest);
}

/// " ?" : the position after it.
inline std::size_t after_space(Text text) noexcept { return code(text, 0) == ' ' ? 1 : 0; }

/// 's|'t|'re|'ve|'m|'ll|'d at `begin`; with `any_case`, capitals too. The length, or 0.
std::size_t contraction(Text text, std::size_t begin, bool any_case) noexcept;

/// \s+(?!\S)|\s+ : without the last space before a word. The end, or 0.
std::size_t spaces(Text text) noexcept;

/// \s*[\r\n]+ : the end, or 0.
std::size_t spaces_to_newline(Text text) noexcept;

/// [^\r\n\p{L}\p{N}]? : the position after it, where `letters` may begin.
std::size_t after_lead(Text text, Category letters) noexcept;

/// The alternatives after words in the patterns since cl100k:
/// \p{N}{1,numbers}| ?[marks]+[tail]{0,longest_tail}|\s*[\r\n]+|\s+(?!\S)|\s+
struct AfterWords {
  std::size_t numbers = kUnlimited;
  Category marks = kNeitherSpaceLetterNumber;
  std::u32string_view tail = U"\r\n";
  std::size_t longest_tail = kUnlimited;
};
std::size_t after_words(Text text, const AfterWords& options) noexcept;

}  // namespace heed::tokenizer::patterns
