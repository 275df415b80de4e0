// Stages that cut numbers into groups of digits.
#include "tokenizer/pattern_parts.hpp"
#include "tokenizer/word_patterns.hpp"

namespace heed::tokenizer::patterns {
namespace {

// The first of the groups of three into which `count` numerals are cut from the right.
std::size_t first_group(std::size_t count) noexcept {
  return count % 3 > 0 ? count % 3 : std::min<std::size_t>(count, 3);
}

}  // namespace

// \p{N}
Match number(Text text) noexcept { return {run(text, 0, kNumber, 1)}; }

// \p{N}+
Match numbers(Text text) noexcept { return {run(text, 0, kNumber)}; }

// \p{N}{1,3}
Match three_numbers(Text text) noexcept { return {run(text, 0, kNumber, 3)}; }

// [0-9][0-9][0-9]
Match three_digits(Text text) noexcept {
  const std::size_t end = run_while(text, 0, [](Character c) { return is_digit(c.code_point); }, 3);
  return {end == 3 ? end : 0};
}

// [0-9]+
Match digits(Text text) noexcept {
  return {run_while(text, 0, [](Character c) { return is_digit(c.code_point); })};
}

// [0-9]{1,3}(?=([0-9]{3})*$) , in a piece that is all digits or has none
Match thousands(Text text) noexcept {
  if (!is_digit(text.front().code_point)) return {0, text.size()};
  return {first_group(text.size())};
}

// [^\p{N}]*\p{N}+
Match up_to_numbers(Text text) noexcept {
  const std::size_t begin = run(text, 0, static_cast<Category>(~kNumber));
  const std::size_t end = run(text, begin, kNumber);
  if (end > begin) return {end};
  return {0, text.size()};
}

// [^\p{N}]*\p{N}{1,3}(?=(\p{N}{3})*$) , in a piece that up_to_numbers matches
Match up_to_thousands(Text text) noexcept {
  const std::size_t begin = run(text, 0, static_cast<Category>(~kNumber));
  if (begin == text.size()) return {0, text.size()};
  return {begin + first_group(text.size() - begin)};
}

}  // namespace heed::tokenizer::patterns
