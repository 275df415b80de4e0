// The vocabularies of PLaMo 2 and 3 (tokenizer.ggml.model "plamo2" and "plamo3"): finds the most probable segmentation of a text into
// tokens, as unigram models do, but from the end, with integer scores, and with byte tokens for characters that no token covers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tokenizer/pretokenizer.hpp"
#include "tokenizer/trie.hpp"
#include "tokenizer/vocabulary_tokenizer.hpp"

namespace heed::tokenizer {

class Plamo final : public VocabularyTokenizer {
 public:
  /// version: 2 or 3. In version 3, no token joins a marker, repeated characters or several spaces with what is around them.
  Plamo(const formats::Metadata& metadata, int version);

 private:
  void encode_text(std::string_view text, WordCache& cache, std::vector<TokenId>& out) const override;
  void append_normal(std::string_view text, std::string& out) const override { out += text; }
  void encode_stretch(std::span<const Character> text, std::vector<TokenId>& out) const;

  int version_;
  Trie tokens_;                      // tokens that texts may consist of
  std::vector<std::int32_t> costs_;  // [V]
  ByteTokens byte_ids_;
};

}  // namespace heed::tokenizer
