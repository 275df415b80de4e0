// WordPiece (arXiv:1810.04805; tokenizer.ggml.model "bert"), for the vocabularies of BERT. A word is split into tokens, each the
// longest possible, from its beginning on; if that fails, it is unknown. In GGUF, tokens at the beginning of a word start with
// U+2581, and others lack "##".
#pragma once

#include "tokenizer/trie.hpp"
#include "tokenizer/vocabulary_tokenizer.hpp"

namespace heed::tokenizer {

class WordPiece final : public VocabularyTokenizer {
 public:
  explicit WordPiece(const formats::Metadata& metadata);

 private:
  void encode_text(std::string_view text, WordCache& cache, std::vector<TokenId>& out) const override;
  void append_normal(std::string_view text, std::string& out) const override;
  void encode_word(std::string_view word, std::vector<TokenId>& out) const;

  Trie tokens_;
  TokenId unknown_;
  bool lower_case_, strip_accents_;
};

}  // namespace heed::tokenizer
