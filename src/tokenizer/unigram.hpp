// SentencePiece's unigram language model (arXiv:1804.10959, section 3.2; tokenizer.ggml.model "t5"), for the vocabularies of T5 and
// XLM-RoBERTa: finds the most probable segmentation of a text into tokens.
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
  /// Normalizes the beginning of `text`, which must not be empty.
  Charsmap::Replacement next(std::string_view text) const noexcept;
  std::string normalize(std::string_view text) const;
  float score(TokenId id) const noexcept {
    const float score = scores_[static_cast<std::size_t>(id)];
    return score == kOwn ? -0.1F : score;
  }

  /// The score by which SentencePiece's user-defined pieces are recognized: no trained piece has it. (llama.cpp's converter does
  /// not write that these pieces are user-defined.)
  static constexpr float kOwn = 0;

  Charsmap charsmap_;
  Trie tokens_;                // tokens that texts may consist of
  std::vector<float> scores_;  // [V] log probabilities
  Trie own_;                   // the user-defined tokens in tokens_: not normalized, and always chosen
  ByteTokens byte_ids_;
  TokenId unknown_;
  float unknown_score_;
  bool add_space_prefix_, remove_extra_spaces_;
};

}  // namespace heed::tokenizer
