// SentencePiece's unigram language model: the vocabularies of T5 and XLM-RoBERTa (arXiv:1804.10959, section
// 3.2; tokenizer.ggml.model "t5"): the most probable segmentation of a text into tokens.
#pragma once

#include <vector>

#include "tokenizer/charsmap.hpp"
#include "tokenizer/trie.hpp"
#include "tokenizer/vocabulary_tokenizer.hpp"

namespace heed::tokenizer {

class Unigram final : public VocabularyTokenizer {
 public:
  explicit Unigram(const formats::Metadata& metadata);

 private:
  void encode_text(std::string_view text, WordCache& cache, std::vector<TokenId>& out) const override;
  void append_normal(std::string_view text, std::string& out) const override;

  /// The normalization of the beginning of `text`, which must not be empty.
  Charsmap::Replacement next(std::string_view text) const noexcept;
  std::string normalize(std::string_view text) const;
  double score(TokenId id) const noexcept { return scores_[static_cast<std::size_t>(id)]; }

  Charsmap charsmap_;
  Trie tokens_;                // of which a text may consist
  Trie user_defined_;          // which are not normalized
  std::vector<float> scores_;  // [V] log probabilities
  TokenId unknown_;
  float unknown_score_;
  bool add_space_prefix_, remove_extra_spaces_;
};

}  // namespace heed::tokenizer
