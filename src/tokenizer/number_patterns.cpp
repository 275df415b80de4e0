// Stages that split numbers into groups of digits.
#include "tokenizer/pattern_parts.hpp"
#include "tokenizer/word_patterns.hpp"

namespace heed::tokenizer::patterns {
namespace {

// The length of the first group if `count` digits are grouped by three from the right.
std::size_t first_group(std::size_t count) noexcept { return count % 3 > 0 ? count % 3 : std::min<std::size_t>(count, 3); }

// [0-9]{0,longest} : the end.
std::size_t digits(Text text, std::size_t begin, std::size_t longest = kUnlimited) noexcept {
  return run_while(text, begin, [](Character c) { return is_digit(c.code_point); }, longest);
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

// First half of (?=([0-9]{3})+(?![0-9])) : splits at its first match in each run of digits.
Match to_thousands(Text text) noexcept {
  std::size_t begin = 0;
  do {
    const std::size_t end = digits(text, begin);
    const std::size_t cut = begin + (end - begin) % 3;
    if (cut > 0 && cut < end) return {cut};
    begin = run_while(text, end, [](Character c) { return !is_digit(c.code_point); });
  } while (begin < text.size());
  return {0, text.size()};
}

// Second half: splits at the other matches. The pieces begin with three digits, or have at most two in a row.
Match thousands(Text text) noexcept {
  const std::size_t end = digits(text, 0, 4);
  return end == 4 ? Match{3} : Match{0, text.size()};
}

// [^\p{N}]*\p{N}+
Match up_to_numbers(Text text) noexcept {
  const std::size_t begin = run(text, 0, static_cast<Category>(~kNumber));
  const std::size_t end = run(text, begin, kNumber);
  if (end > begin) return {end};
  return {0, text.size()};
}

// [^\p{N}]*\p{N}{1,3}(?=(\p{N}{3})*$) , for pieces matched by up_to_numbers
Match up_to_thousands(Text text) noexcept {
  const std::size_t begin = run(text, 0, static_cast<Category>(~kNumber));
  if (begin == text.size()) return {0, text.size()};
  return {begin + first_group(text.size() - begin)};
}

}  // namespace heed::tokenizer::patterns
