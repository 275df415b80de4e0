// The stages of Chameleon's pattern, for texts with images. Omits the first published stage, <sentinel:[0-9]+>: its matches would
// be split by later stages in the same way.
#include "tokenizer/pattern_parts.hpp"
#include "tokenizer/word_patterns.hpp"

namespace heed::tokenizer::patterns {

// (IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z
Match chameleon_images(Text text) noexcept {
  constexpr std::u32string_view kLead = U"IMGIMG";
  const std::size_t begin = kLead.size();
  for (std::size_t i = 0; i < begin; ++i) {
    if (code(text, i) != kLead[i]) return {};
  }
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
