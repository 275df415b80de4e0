#include "tokenizer/byte_pair.hpp"

#include "tokenizer/byte_alphabet.hpp"

namespace heed::tokenizer {

BytePair::BytePair(const formats::Metadata& metadata)
    : BytePair(metadata, find_pretokenizer(metadata.text("tokenizer.ggml.pre", "default"))) {}

BytePair::BytePair(const formats::Metadata& metadata, const Pretokenizer& pretokenizer)
    : BytePair(metadata, {.add_bos = pretokenizer.add_bos},
               {.leading_space = metadata.flag("tokenizer.ggml.add_space_prefix", false), .punctuation = pretokenizer.tidy_spaces},
               pretokenizer, {}) {}

BytePair::BytePair(const formats::Metadata& metadata, const Vocabulary::Defaults& defaults, Tidying tidying,
                   const Pretokenizer& pretokenizer, std::string_view word_end)
    : VocabularyTokenizer(metadata, defaults, tidying), pretokenizer_(pretokenizer), merges_(metadata, vocabulary(), word_end) {}

void BytePair::encode_text(std::string_view text, WordCache& cache, std::vector<TokenId>& out) const {
  PairMerger merger;
  std::string bytes;
  std::vector<Character> read = read_characters(text);
  if (pretokenizer_.lower_case) read = in_lower_case(read);
  split_words(read, pretokenizer_.stages, [&](std::span<const Character> word) {
    if (pretokenizer_.drop_space && word[0].category == kSpace) return;
    bytes.clear();
    for (const Character& character : word) utf8::append(bytes, character.code_point);
    if (cache.append(bytes)) return;
    const std::size_t first = out.size();
    encode_word(bytes, merger, out);
    cache.store(bytes, first);
  });
}

void BytePair::encode_word(std::string_view word, PairMerger& merger, std::vector<TokenId>& out) const {
  if (pretokenizer_.whole_words_first) {
    std::string characters;
    append_as_characters(characters, word);
    if (const auto id = vocabulary().find_spelled(characters)) {
      out.push_back(*id);
      return;
    }
  }
  merger.clear();
  for (std::size_t i = 0; i < word.size(); ++i)
    merger.push(merges_.symbol_of_byte(static_cast<unsigned char>(word[i]), i + 1 == word.size()), 1);
  merger.merge([&](const PairMerger::Symbol& left, const PairMerger::Symbol& right) { return merges_.find(left.id, right.id); },
               [&](const PairMerger::Symbol& symbol) { merges_.append_tokens(symbol.id, out); });
}

void BytePair::append_normal(std::string_view text, std::string& out) const { append_as_bytes(out, text); }

}  // namespace heed::tokenizer
