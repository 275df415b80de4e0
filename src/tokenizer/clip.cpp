#include "tokenizer/clip.hpp"

#include "tokenizer/byte_alphabet.hpp"
#include "tokenizer/letters.hpp"
#include "tokenizer/word_patterns.hpp"

namespace heed::tokenizer {
namespace {

constexpr std::string_view kWordEnd = "</w>";
constexpr Pattern kWords[] = {patterns::clip};

Vocabulary::Defaults defaults(const formats::Metadata& metadata) {
  const auto* tokens = metadata.find<formats::Metadata::Strings>("tokenizer.ggml.tokens");
  const auto size = static_cast<TokenId>(tokens ? tokens->size() : 0);
  return {.bos = size - 2, .eos = size - 1, .add_bos = true, .add_eos = true};
}

// Every letter has one lower-case letter, but for U+0130, whose dot becomes a mark of its own.
std::vector<Character> read_lower_case(std::string_view text) {
  std::vector<Character> characters;
  characters.reserve(text.size());
  for (const Character& c : read_characters(text)) {
    const char32_t lower = lower_case(c.code_point);
    characters.push_back(lower == c.code_point ? c : Character{lower, category(lower)});
    if (c.code_point == U'\u0130') characters.push_back({U'\u0307', kMark});
  }
  return characters;
}

}  // namespace

Clip::Clip(const formats::Metadata& metadata)
    : VocabularyTokenizer(metadata, defaults(metadata), {.trailing_space = true}),
      merges_(metadata, vocabulary(), kWordEnd) {}

void Clip::encode_text(std::string_view text, WordMemory& memory, std::vector<TokenId>& out) const {
  PairMerger merger;
  std::string bytes;
  const auto find = [&](const PairMerger::Symbol& left, const PairMerger::Symbol& right) {
    return merges_.find(left.id, right.id);
  };
  const auto emit = [&](const PairMerger::Symbol& symbol) { merges_.append_tokens(symbol.id, out); };

  const auto encode_word = [&](std::string_view word) {
    merger.clear();
    for (std::size_t i = 0; i < word.size(); ++i) {
      const bool last = i + 1 == word.size();
      merger.push(merges_.symbol_of_byte(static_cast<unsigned char>(word[i]), last), 1);
    }
    merger.merge(find, emit);
  };

  const std::vector<Character> read = read_lower_case(text);
  split_words(read, kWords, [&](std::span<const Character> word) {
    if (word[0].category == kSpace) return;  // what the pattern leaves out is white space alone
    bytes.clear();
    for (const Character& character : word) utf8::append(bytes, character.code_point);
    memory.append(bytes, [&] { encode_word(bytes); });
  });
}

void Clip::append_normal(std::string_view text, std::string& out) const {
  const bool ends_word = text.ends_with(kWordEnd);
  if (ends_word) text.remove_suffix(kWordEnd.size());
  append_as_bytes(out, text);
  if (ends_word) out.push_back(' ');
}

}  // namespace heed::tokenizer
