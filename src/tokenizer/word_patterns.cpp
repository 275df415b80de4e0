// The patterns of GPT-2, cl100k and o200k, and their variants, which most families use.
#include "tokenizer/word_patterns.hpp"

#include "tokenizer/pattern_parts.hpp"

namespace heed::tokenizer::patterns {
namespace {

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[letters]+|(see AfterWords)
Match cl100k(Text text, Category letters, const AfterWords& after) noexcept {
  if (const auto length = contraction(text, 0, true)) return {length};
  const std::size_t begin = after_lead(text, letters);
  if (const auto end = run(text, begin, letters); end > begin) return {end};
  return {after_words(text, after)};
}

// [upper]* , where upper is `letters` without a-z. Returns the end.
std::size_t capitals(Text text, std::size_t begin, Category letters) noexcept {
  return run_while(text, begin, [=](Character c) { return is(c, letters) && !is_lower(c.code_point); });
}

// [upper]*[lower]+ , where lower is `letters` without A-Z; letters outside ASCII are both. Returns the end, or `begin`.
std::size_t capitalized(Text text, std::size_t begin, Category letters) noexcept {
  const auto lower = [=](Character c) { return is(c, letters) && !is_upper(c.code_point); };
  const std::size_t first = capitals(text, begin, letters), end = run_while(text, first, lower);
  if (end > first) return end;
  // Backtracks to the last letter that is both upper and lower.
  for (std::size_t i = first; i > begin; --i) {
    if (lower(text[i - 1])) return i;
  }
  return begin;
}

// [upper]*[lower]+|[upper]+[lower]* . Returns the end. The published patterns include \p{M} and distinguish case in all scripts;
// those of llama.cpp, and ours, do not.
std::size_t cased_word(Text text, std::size_t begin) noexcept {
  const std::size_t end = capitalized(text, begin, kLetter);
  return end > begin ? end : capitals(text, begin, kLetter);
}

}  // namespace

// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
Match gpt2(Text text) noexcept {
  if (const auto length = contraction(text, 0, false)) return {length};
  const std::size_t begin = after_space(text);
  for (Category kind : {kLetter, kNumber, kNeitherSpaceLetterNumber}) {
    if (const auto end = run(text, begin, kind); end > begin) return {end};
  }
  return {spaces(text)};
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*
// |\s*[\r\n]+|\s+(?!\S)|\s+
Match llama3(Text text) noexcept { return cl100k(text, kLetter, {.numbers = 3}); }

// as llama3, with \p{N} for \p{N}{1,3}
Match qwen2(Text text) noexcept { return cl100k(text, kLetter, {.numbers = 1}); }

// as qwen2, with [\p{L}\p{M}] for \p{L}, except in [^\r\n\p{L}\p{N}]
Match qwen35(Text text) noexcept { return cl100k(text, kLetter | kMark, {.numbers = 1, .marks = kPunctuation | kSymbol | kOther}); }

// as qwen2, with no newlines after marks
Match seed_coder(Text text) noexcept { return cl100k(text, kLetter, {.numbers = 1, .tail = U""}); }

// as qwen2, without contractions
Match ufakzeka(Text text) noexcept {
  const std::size_t begin = after_lead(text, kLetter);
  if (const auto end = run(text, begin, kLetter); end > begin) return {end};
  return {after_words(text, {.numbers = 1})};
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?
// |\s*[\r\n]|\s+(?!\S)|\s+ : a sequence of words separated by single spaces is one match.
Match exaone_moe(Text text) noexcept {
  if (const auto length = contraction(text, 0, true)) return {length};
  std::size_t end = after_lead(text, kLetter);
  if (!is(text, end, kLetter)) return {after_words(text, {.numbers = 1, .tail = U"\r\n/", .longest_tail = 1})};
  do {
    end = run(text, end, kLetter | kMark);
    if (code(text, end) == ' ' && is(text, end + 1, kLetter)) ++end;
  } while (is(text, end, kLetter));
  return {end};
}

// as llama3, with [\p{L}\p{M}\u200C\u200D] for \p{L}, except in [^\r\n\p{L}\p{N}]
Match k2_horizon(Text text) noexcept {
  if (const auto length = contraction(text, 0, true)) return {length};
  const auto in_word = [](Character c) { return is(c, kLetter | kMark) || is_one_of(c.code_point, U"\u200C\u200D"); };
  for (const std::size_t begin : {after_lead(text, kLetter), std::size_t{0}}) {
    if (const auto end = run_while(text, begin, in_word); end > begin) return {end};
  }
  return {after_words(text, {.numbers = 3})};
}

// [^\r\n\p{L}\p{N}]?(cased_word)(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*
// |\s*[\r\n]+|\s+(?!\S)|\s+
Match gpt4o(Text text) noexcept {
  const std::size_t begin = after_lead(text, kLetter);
  if (const auto end = cased_word(text, begin); end > begin) return {end + contraction(text, end, true)};
  return {after_words(text, {.numbers = 3, .tail = U"\r\n/"})};
}

// as gpt4o, without contractions and with \p{N} for \p{N}{1,3}
Match tekken(Text text) noexcept {
  const std::size_t begin = after_lead(text, kLetter);
  if (const auto end = cased_word(text, begin); end > begin) return {end};
  return {after_words(text, {.numbers = 1, .tail = U"\r\n/"})};
}

// as gpt4o, with [\p{L}\p{M}] for \p{L}, except in [^\r\n\p{L}\p{N}]: a mark may match that, or begin the word
Match granite_embedding(Text text) noexcept {
  const std::size_t lead = after_lead(text, kLetter);
  for (const auto word : {capitalized, capitals}) {
    for (const std::size_t begin : {lead, std::size_t{0}}) {
      const std::size_t end = word(text, begin, kLetter | kMark);
      if (end > begin) return {end + contraction(text, end, true)};
    }
  }
  return {after_words(text, {.numbers = 3, .tail = U"\r\n/"})};
}

//  ?[^(\s|.,!?…。，、।۔،)]+
Match bloom(Text text) noexcept {
  const std::size_t begin = after_space(text);
  const auto in_word = [](Character c) { return !is(c, kSpace) && !is_one_of(c.code_point, U"(|.,!?…。，、।۔،)"); };
  const std::size_t end = run_while(text, begin, in_word);
  return {end > begin ? end : 0};
}

// 's|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+
Match clip(Text text) noexcept {
  if (const auto length = contraction(text, 0, false)) return {length};
  if (const auto end = run(text, 0, kLetter)) return {end};
  if (const auto end = run(text, 0, kNumber, 1)) return {end};
  return {run(text, 0, kNeitherSpaceLetterNumber)};
}

// [\p{P}\$\+<=>\^~\|]+
Match marks(Text text) noexcept {
  return {run_while(text, 0, [](Character c) { return is(c, kPunctuation) || is_one_of(c.code_point, U"$+<=>^~|"); })};
}

// [\p{P}\$\+<=>\^~\|`]+
Match falcon_marks(Text text) noexcept {
  return {run_while(text, 0, [](Character c) { return is(c, kPunctuation) || is_one_of(c.code_point, U"$+<=>^~|`"); })};
}

// [\r\n]
Match newline(Text text) noexcept { return {is_newline(code(text, 0)) ? 1U : 0U}; }

// [^\n]+|[\n]+
Match lines(Text text) noexcept {
  const bool broken = code(text, 0) == '\n';
  return {run_while(text, 0, [=](Character c) { return (c.code_point == '\n') == broken; })};
}

// \s{512}(?!\S)|\s{256}(?!\S)|...|\s{2}(?!\S)|\s , for pieces of llama3. A piece that begins with two spaces consists of
// spaces, or ends with a newline and is not split.
Match powers_of_spaces(Text text) noexcept {
  if (!is(text, 0, kSpace) || !is(text, 1, kSpace) || is_newline(text.back().code_point)) return {0, text.size()};
  std::size_t n = 512;
  while (n > text.size()) n /= 2;
  return {n};
}

// \s+$
Match closing_spaces(Text text) noexcept {
  const std::size_t end = run(text, 0, kSpace);
  if (end == text.size()) return {end};
  return {0, std::max<std::size_t>(end, 1)};
}

}  // namespace heed::tokenizer::patterns
