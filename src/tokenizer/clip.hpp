// CLIP's byte-pair encoding (arXiv:2103.00020;
// https://github.com/openai/CLIP/blob/main/clip/simple_tokenizer.py). The text is converted to lower case, white space only separates
// words, and the last symbol of a word ends with "</w>".
//
// llama.cpp does not support this vocabulary, so these keys in GGUF are Heed's own:
//   tokenizer.ggml.model         "clip"
//   tokenizer.ggml.tokens        CLIP's texts by id: GPT-2's characters for bytes, these followed by "</w>",
//                                the results of merges, <|startoftext|> and <|endoftext|>
//   tokenizer.ggml.merges        "left right", best first, as for "gpt2"
//   tokenizer.ggml.token_type    3 (control) for the last two, 1 for the others
//   tokenizer.ggml.bos_token_id, eos_token_id     the last two; V - 2 and V - 1 by default
//   tokenizer.ggml.add_bos_token, add_eos_token   true by default
// Requires text in NFC; does not decode HTML entities, and does not pad.
#pragma once

#include "tokenizer/byte_pair.hpp"

namespace heed::tokenizer {

class Clip final : public BytePair {
 public:
  explicit Clip(const formats::Metadata& metadata);

 private:
  void append_normal(std::string_view text, std::string& out) const override;
};

}  // namespace heed::tokenizer
