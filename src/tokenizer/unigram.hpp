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

  std::vector<TokenId> own_pieces() const;
  /// The normalization of the beginning of `text`, which must not be empty.
  Charsmap::Replacement next(std::string_view text) const noexcept;
  std::string normalize(std::string_view text) const;
  float score(TokenId id) const noexcept {
    const float score = scores_[static_cast<std::size_t>(id)];
    return score == kOwn ? -0.1F : score;
  }

  /// In files, the score of SentencePiece's user-defined pieces, whose kind llama.cpp's converter does not write. No trained piece has it.
  static constexpr float kOwn = 0;

  Charsmap charsmap_;
  Trie tokens_;                // of which a text may consist
  std::vector<float> scores_;  // [V] log probabilities
  Trie own_;                   // of tokens_, the user-defined ones: they are not normalized and always taken
  ByteTokens byte_ids_;
  TokenId unknown_;
  float unknown_score_;
  bool add_space_prefix_, remove_extra_spaces_;
};

}  // namespace heed::tokenizer
