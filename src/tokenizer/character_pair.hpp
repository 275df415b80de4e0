// Byte-pair encoding of characters with byte fallback: spaces as in SentencePiece, but merges by rank as in byte-level
// vocabularies. For the vocabularies of Gemma 4 (tokenizer.ggml.model "gemma4") and of Granite's multilingual embedder ("gpt2",
// pre-tokenizer "granite-embed-multi-311m").
#pragma once

#include <bitset>

#include "tokenizer/merge_table.hpp"
#include "tokenizer/vocabulary_tokenizer.hpp"

namespace heed::tokenizer {

class CharacterPair final : public VocabularyTokenizer {
 public:
  explicit CharacterPair(const formats::Metadata& metadata);

 private:
  void encode_text(std::string_view text, WordCache& cache, std::vector<TokenId>& out) const override;
  void append_normal(std::string_view text, std::string& out) const override;

  std::string_view next_word(std::string_view text) const;
  void encode_word(std::string_view word, PairMerger& merger, std::vector<TokenId>& out) const;

  MergeTable merges_;
  ByteTokens byte_ids_;           // for the bytes of characters that are not tokens
  std::bitset<256> joins_space_;  // bytes that precede a space in some merge
};

}  // namespace heed::tokenizer
