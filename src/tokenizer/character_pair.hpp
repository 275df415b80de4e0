// Byte-pair encoding of characters with byte fallback: SentencePiece's way with spaces, but merges by rank as in byte-level
// vocabularies. The vocabularies of Gemma 4 (tokenizer.ggml.model "gemma4").
#pragma once

#include <array>
#include <bitset>

#include "tokenizer/merge_table.hpp"
#include "tokenizer/vocabulary_tokenizer.hpp"

namespace heed::tokenizer {

class CharacterPair final : public VocabularyTokenizer {
 public:
  explicit CharacterPair(const formats::Metadata& metadata);

 private:
  void encode_text(std::string_view text, WordMemory& memory, std::vector<TokenId>& out) const override;
  void append_normal(std::string_view text, std::string& out) const override;

  std::string_view next_word(std::string_view text) const;
  void encode_word(std::string_view word, PairMerger& merger, std::vector<TokenId>& out) const;

  MergeTable merges_;
  std::array<std::optional<TokenId>, 256> byte_ids_;  // what the bytes of a character without a token become
  std::bitset<256> joins_space_;                      // bytes that some merge has before a space
};

}  // namespace heed::tokenizer
