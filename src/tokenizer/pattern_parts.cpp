#include "tokenizer/pattern_parts.hpp"

namespace heed::tokenizer::patterns {

std::size_t contraction(Text text, std::size_t begin, bool any_case) noexcept {
  if (code(text, begin) != '\'') return 0;
  const auto letter = [&](std::size_t i) {
    const char32_t c = code(text, begin + i);
    return any_case && is_upper(c) ? c + ('a' - 'A') : c;
  };
  switch (letter(1)) {
    case 's':
    case 't':
    case 'm':
    case 'd': return 2;
    case 'r':
    case 'v': return letter(2) == 'e' ? 3 : 0;
    case 'l': return letter(2) == 'l' ? 3 : 0;
    default: return 0;
  }
}

std::size_t spaces(Text text) noexcept {
  const std::size_t end = run(text, 0, kSpace);
  return end > 1 && end < text.size() ? end - 1 : end;
}

std::size_t spaces_to_newline(Text text) noexcept {
  std::size_t end = run(text, 0, kSpace);
  while (end > 0 && !is_newline(text[end - 1].code_point)) --end;
  return end;
}

std::size_t after_lead(Text text, Category letters) noexcept {
  return is(text, 0, kNeitherLetterNumber & ~letters) && !is_newline(text[0].code_point) ? 1 : 0;
}

std::size_t after_words(Text text, const AfterWords& options) noexcept {
  if (const auto end = run(text, 0, kNumber, options.numbers)) return end;
  const std::size_t begin = after_space(text);
  if (const auto end = run(text, begin, options.marks); end > begin) {
    return run_while(text, end, [&](Character c) { return is_one_of(c.code_point, options.tail); }, options.longest_tail);
  }
  if (const auto end = spaces_to_newline(text)) return end;
  return spaces(text);
}

}  // namespace heed::tokenizer::patterns
