// Byte-level byte-pair encoding: the vocabularies of GPT-2, Llama 3, Qwen and many more
// (https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf,
// section 2.2; tokenizer.ggml.model "gpt2").
#pragma once

#include "tokenizer/merge_table.hpp"
#include "tokenizer/pretokenizer.hpp"
#include "tokenizer/vocabulary_tokenizer.hpp"

namespace heed::tokenizer {

class BytePair final : public VocabularyTokenizer {
 public:
  explicit BytePair(const formats::Metadata& metadata);

 private:
  BytePair(const formats::Metadata& metadata, const Pretokenizer& pretokenizer);
  void encode_text(std::string_view text, WordMemory& memory, std::vector<TokenId>& out) const override;
  void append_normal(std::string_view text, std::string& out) const override;

  const Pretokenizer& pretokenizer_;
  MergeTable merges_;
};

}  // namespace heed::tokenizer
