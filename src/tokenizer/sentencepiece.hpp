// SentencePiece's byte-pair encoding with byte fallback: the vocabularies of Llama 1 and 2, Mistral and Gemma
// (arXiv:1808.06226; tokenizer.ggml.model "llama").
#pragma once

#include <bitset>

#include "tokenizer/vocabulary_tokenizer.hpp"

namespace heed::tokenizer {

class SentencePiece final : public VocabularyTokenizer {
 public:
  explicit SentencePiece(const formats::Metadata& metadata);

 private:
  void encode_text(std::string_view text, WordCache& cache, std::vector<TokenId>& out) const override;
  void append_normal(std::string_view text, std::string& out) const override;

  bool add_space_prefix_;
  std::vector<std::uint32_t> merge_order_;  // [V] lower for higher scores
  ByteTokens byte_ids_;                     // for the bytes of characters that are not tokens
  std::bitset<256> joins_space_;            // bytes that precede a space in some token
};

}  // namespace heed::tokenizer
