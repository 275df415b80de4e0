#include "tokenizer/byte_pair.hpp"

#include "tokenizer/byte_alphabet.hpp"

namespace heed::tokenizer {

BytePair::BytePair(const formats::Metadata& metadata)
    : BytePair(metadata, find_pretokenizer(metadata.text("tokenizer.ggml.pre", "default"))) {}

BytePair::BytePair(const formats::Metadata& metadata, const Pretokenizer& pretokenizer)
    : VocabularyTokenizer(metadata, {.add_bos = pretokenizer.add_bos},
                          {.leading_space = metadata.flag("tokenizer.ggml.add_space_prefix", false),
                           .punctuation = pretokenizer.tidy_spaces}),
      pretokenizer_(pretokenizer),
      merges_(metadata, vocabulary()) {}

void BytePair::encode_text(std::string_view text, WordMemory& memory, std::vector<TokenId>& out) const {
  PairMerger merger;
  std::string bytes, characters;
  const auto find = [&](const PairMerger::Symbol& left, const PairMerger::Symbol& right) {
    return merges_.find(left.id, right.id);
  };
  const auto emit = [&](const PairMerger::Symbol& symbol) { merges_.append_tokens(symbol.id, out); };
  const auto encode_word = [&](std::string_view word) {
    if (pretokenizer_.whole_words_first) {
      characters.clear();
      append_as_characters(characters, word);
      if (const auto id = vocabulary().find(characters)) {
        out.push_back(*id);
        return;
      }
    }
    merger.clear();
    for (char byte : word) merger.push(merges_.symbol_of_byte(static_cast<unsigned char>(byte)), 1);
    merger.merge(find, emit);
  };

  const std::vector<Character> read = read_characters(text);
  split_words(read, pretokenizer_.stages, [&](std::span<const Character> word) {
    bytes.clear();
    for (const Character& character : word) utf8::append(bytes, character.code_point);
    memory.append(bytes, [&] { encode_word(bytes); });
  });
}

void BytePair::append_normal(std::string_view text, std::string& out) const { append_as_bytes(out, text); }

}  // namespace heed::tokenizer
