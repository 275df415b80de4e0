// Patterns that distinguish scripts: DeepSeek, Kimi, Youtu, AFMoE.
#include "tokenizer/pattern_parts.hpp"
#include "tokenizer/word_patterns.hpp"

namespace heed::tokenizer::patterns {
namespace {

constexpr std::u32string_view kHanAndKana = U"一龥\u3040\u309F\u30A0\u30FF";

// The cased letters in DeepSeek's pattern.
// clang-format off
constexpr std::u32string_view kDeepSeekLlmLetters =
    U"AZazµµÀÖØöø\u01BAƼƿǄʓʕʯͰͳͶͷͻͽͿͿΆΆΈΊΌΌΎΡΣϵϷҁҊԯԱՖႠჅᎠᏵᏸᏽᲐᲺᲽᲿᴀᴫᵫᵷᵹᶚ"
    U"\u1E00\u1F15\u1F18\u1F1D\u1F20\u1F45\u1F48\u1F4D\u1F50\u1F57\u1F59\u1F59\u1F5B\u1F5B\u1F5D\u1F5D"
    U"\u1F5F\u1F7D\u1F80\u1FB4\u1FB6\u1FBC\u1FBE\u1FBE\u1FC2\u1FC4\u1FC6\u1FCC\u1FD0\u1FD3\u1FD6\u1FDB"
    U"\u1FE0\u1FEC\u1FF2\u1FF4\u1FF6\u1FFC\u2102\u2102\u2107\u2107\u210A\u2113\u2115\u2115\u2119\u211D"
    U"\u2124\u2124\u2126\u2126\u2128\u2128\u212A\u212D\u212F\u2134\u2139\u2139\u213C\u213F\u2145\u2149"
    U"\u214E\u214E\u2183\u2184\u2C00\u2C7B\u2C7E\u2CE4\u2CEB\u2CEE\u2CF2\u2CF3\uA640\uA66D\uA680\uA69B"
    U"\uA722\uA76F\uA771\uA787\uA78B\uA78E\uAB70\uABBF\uFB00\uFB06\uFB13\uFB17ＡＺａｚ"
    U"\U00010400\U0001044F\U000104B0\U000104D3\U000104D8\U000104FB\U00010C80\U00010CB2\U00010CC0\U00010CF2"
    U"\U000118A0\U000118DF\U0001E900\U0001E943";
// clang-format on

constexpr std::u32string_view kHan =
    U"\u3400\u4DBF\u4E00\u9FFF\uF900\uFAFF\U00020000\U0002A6DF\U0002A700\U0002EBEF\U0002F800\U0002FA1F";

// \s?[accepted]+
template <class Accept>
Match after_any_space(Text text, Accept&& accept) noexcept {
  const std::size_t begin = is(text, 0, kSpace) ? 1 : 0;
  if (const auto end = run_while(text, begin, accept); end > begin) return {end};
  // The first space may itself be accepted.
  return {run_while(text, 0, accept)};
}

// [ranges]+ , without white space in these ranges.
Match script(Text text, std::u32string_view ranges) noexcept {
  return {run_while(text, 0, [=](Character c) { return !is(c, kSpace) && is_within(c.code_point, ranges); })};
}

// [^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|(see AfterWords)
Match words_with_marks(Text text, const AfterWords& after) noexcept {
  const std::size_t begin = after_lead(text, kLetter | kMark);
  const std::size_t end = run(text, begin, kLetter | kMark);
  return {end > begin ? end + contraction(text, end, true) : after_words(text, after)};
}

// [!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+ : the end, or 0.
std::size_t marked_word(Text text) noexcept {
  const Character first = at(text, 0);
  if (first.code_point < 0x80 && is(first, kPunctuation | kSymbol)) {
    const auto ascii_letter = [](Character c) { return is_upper(c.code_point) || is_lower(c.code_point); };
    if (const auto end = run_while(text, 1, ascii_letter); end > 1) return end;
  }
  const bool lead = is(first, kNumber | kSpace | kOther) && !is_newline(first.code_point);
  const std::size_t begin = lead ? 1 : 0, end = run(text, begin, kLetter | kMark);
  return end > begin ? end : 0;
}

}  // namespace

// \s?\p{L}+
Match deepseek_coder_letters(Text text) noexcept {
  return after_any_space(text, [](Character c) { return is(c, kLetter); });
}

// \s?\p{P}+
Match deepseek_coder_marks(Text text) noexcept {
  return after_any_space(text, [](Character c) { return is(c, kPunctuation); });
}

// \s?[cased letters]+
Match deepseek_llm_letters(Text text) noexcept {
  return after_any_space(text, [](Character c) { return is_within(c.code_point, kDeepSeekLlmLetters); });
}

// \s?[!-/:-~！-／：-～‘-‟　-。]+
Match deepseek_llm_marks(Text text) noexcept {
  return after_any_space(text, [](Character c) {
    return !is(c, kSpace) && is_within(c.code_point, U"!/:~！／：～\u2018\u201F\u3000\u3002");
  });
}

// [一-龥ࠀ-一가-퟿]+
Match east_asian(Text text) noexcept { return script(text, U"一龥\u0800一\uAC00\uD7FF"); }

// [一-龥぀-ゟ゠-ヿ]+
Match han_and_kana(Text text) noexcept { return script(text, kHanAndKana); }

// (see marked_word)| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
Match deepseek_v3_words(Text text) noexcept {
  if (const auto end = marked_word(text)) return {end};
  return {after_words(text, {.numbers = 0, .marks = kPunctuation | kSymbol})};
}

// (see marked_word)| ?[\p{P}\p{S}]+|[\r\n]|\s+(?!\S)|\s+
Match spark_words(Text text) noexcept {
  if (const auto end = marked_word(text)) return {end};
  const std::size_t begin = after_space(text);
  if (const auto end = run(text, begin, kPunctuation | kSymbol); end > begin) return {end};
  return {is_newline(code(text, 0)) ? 1 : spaces(text)};
}

// \p{Han}+|[^\r\n\p{L}\p{N}]?[\p{L}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}
// | ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
// The published pattern distinguishes case as o200k does; llama.cpp's does not.
Match kimi_k2(Text text) noexcept {
  if (const auto end = run_while(text, 0, [](Character c) { return is_within(c.code_point, kHan); })) return {end};
  const auto letter = [](Character c) { return is(c, kLetter) && !is_within(c.code_point, kHan); };
  const std::size_t begin = after_lead(text, kLetter);
  if (const auto end = run_while(text, begin, letter); end > begin) return {end + contraction(text, end, true)};
  return {after_words(text, {.numbers = 3})};
}

// [가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+
Match youtu_scripts(Text text) noexcept {
  for (std::u32string_view ranges :
       {std::u32string_view(U"가힣ㄱㆎ"), std::u32string_view(U"！！……“”‘’——：；，，\u3001\u303F\uFE30\uFE4F"),
        std::u32string_view(U"ㄅㄯ"), kHanAndKana}) {
    if (const Match match = script(text, ranges); match.length > 0) return match;
  }
  return {};
}

// words_with_marks|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
Match youtu_words(Text text) noexcept { return words_with_marks(text, {.numbers = 1, .tail = U"\r\n/"}); }

// as youtu_words, with \p{N}{1,3} for \p{N}
Match tiny_aya_words(Text text) noexcept { return words_with_marks(text, {.numbers = 3, .tail = U"\r\n/"}); }

// [一-鿿㐀-䶿豈-\uFAFF぀-ゟ゠-ヿ･-ﾟ⼀-⿟เ-๿຀-໿ក-៿က-႟ꩠ-ꩿꧠ-꧿가-힯ᄀ-ᇿ]+ The fifth character is U+8C48, as in llama.cpp, not
// the similar U+F900: the range from U+8C48 is larger.
Match afmoe_scripts(Text text) noexcept {
  return script(text,
                U"\u3400\u4DBF\u4E00\uFAFF\u3040\u309F\u30A0\u30FF\uFF65\uFF9F\u2F00\u2FDF\u0E40\u0EFF"
                U"\u1000\u109F\u1100\u11FF\u1780\u17FF");
}

}  // namespace heed::tokenizer::patterns
