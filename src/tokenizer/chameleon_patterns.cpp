// The stages of Chameleon's pattern, whose texts have pictures among them.
#include "tokenizer/pattern_parts.hpp"
#include "tokenizer/word_patterns.hpp"

namespace heed::tokenizer::patterns {
namespace {

/// The end of these characters, or 0 where the text does not begin with them.
std::size_t literal(Text text, std::u32string_view characters) noexcept {
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (code(text, i) != characters[i]) return 0;
  }
  return characters.size();
}

}  // namespace

// <sentinel:[0-9]+>
Match chameleon_sentinels(Text text) noexcept {
  const std::size_t begin = literal(text, U"<sentinel:");
  if (begin == 0) return {};
  const std::size_t end = run_while(text, begin, [](Character c) { return is_digit(c.code_point); });
  return {end > begin && code(text, end) == '>' ? end + 1 : 0};
}

// (IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z
Match chameleon_images(Text text) noexcept {
  const std::size_t begin = literal(text, U"IMGIMG");
  if (begin == 0) return {};
  const auto in_name = [](Character c) { return c.code_point >= 'A' && c.code_point <= 'I'; };
  const std::size_t end = run_while(text, begin, in_name, 4);
  return {end > begin && code(text, end) == 'Z' ? end + 1 : 0};
}

// ([\t\n]|    |  )
Match chameleon_spaces(Text text) noexcept {
  if (is_one_of(code(text, 0), U"\t\n")) return {1};
  const std::size_t end = run_while(text, 0, [](Character c) { return c.code_point == ' '; }, 4);
  return {end == 4 ? 4 : end / 2 * 2};
}

// [\p{P}!-/:-@\[-`{-~]
Match chameleon_mark(Text text) noexcept {
  const Character first = at(text, 0);
  return {is(first, kPunctuation) || is_within(first.code_point, U"!/:@[`{~") ? 1U : 0U};
}

}  // namespace heed::tokenizer::patterns
