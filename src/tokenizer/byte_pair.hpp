// Byte-level byte-pair encoding: the vocabularies of GPT-2, Llama 3, Qwen and many more
// (https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf,
// section 2.2; tokenizer.ggml.model "gpt2").
#pragma once

#include "tokenizer/merge_table.hpp"
#include "tokenizer/pretokenizer.hpp"
#include "tokenizer/vocabulary_tokenizer.hpp"

namespace heed::tokenizer {

class BytePair : public VocabularyTokenizer {
 public:
  explicit BytePair(const formats::Metadata& metadata);

 protected:
  /// word_end: the suffix of tokens at the end of a word.
  BytePair(const formats::Metadata& metadata, const Vocabulary::Defaults& defaults, Tidying tidying,
           const Pretokenizer& pretokenizer, std::string_view word_end);

  void append_normal(std::string_view text, std::string& out) const override;

 private:
  BytePair(const formats::Metadata& metadata, const Pretokenizer& pretokenizer);
  void encode_text(std::string_view text, WordCache& cache, std::vector<TokenId>& out) const final;
  void encode_word(std::string_view word, PairMerger& merger, std::vector<TokenId>& out) const;

  const Pretokenizer& pretokenizer_;
  MergeTable merges_;
};

}  // namespace heed::tokenizer
