// A vocabulary that has the tokens between tiles, which the tiny models lack.
#pragma once

#include <memory>

#include "formats/metadata.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::test {

/// Control tokens that it does not have are unknown ones.
inline std::unique_ptr<tokenizer::Tokenizer> marker_tokenizer() {
  const formats::Metadata::Strings tokens = {"<unk>", "<s>", "</s>", "\n", "\n\n"};
  formats::Metadata metadata;
  metadata.set("tokenizer.ggml.model", std::string("llama"));
  metadata.set("tokenizer.ggml.tokens", tokens);
  metadata.set("tokenizer.ggml.scores", formats::Metadata::Floats(tokens.size(), 0.0f));
  metadata.set("tokenizer.ggml.token_type", formats::Metadata::Integers{2, 3, 3, 1, 1});
  metadata.set("tokenizer.ggml.unknown_token_id", std::int64_t{0});
  metadata.set("tokenizer.ggml.bos_token_id", std::int64_t{1});
  metadata.set("tokenizer.ggml.eos_token_id", std::int64_t{2});
  return tokenizer::make_tokenizer(metadata);
}

}  // namespace heed::test
