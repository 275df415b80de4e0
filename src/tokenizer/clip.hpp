// CLIP's byte-pair encoding (arXiv:2103.00020;
// https://github.com/openai/CLIP/blob/main/clip/simple_tokenizer.py). The text is put in lower case, white
// space only parts words, and the last symbol of a word ends with "</w>", so that words need no space before
// them.
//
// llama.cpp has no such vocabulary, so its keys in GGUF are Heed's own choice:
//   tokenizer.ggml.model         "clip"
//   tokenizer.ggml.tokens        CLIP's texts by their ids: GPT-2's stand-ins for bytes, those followed by
//                                "</w>", what the merges make of them, <|startoftext|> and <|endoftext|>
//   tokenizer.ggml.merges        "left right", best first, as for "gpt2"
//   tokenizer.ggml.token_type    3 (control) for the last two, 1 for the others
//   tokenizer.ggml.bos_token_id, eos_token_id     the last two; V - 2 and V - 1 where the file is silent
//   tokenizer.ggml.add_bos_token, add_eos_token   true where the file is silent
// The text is taken to be composed (NFC), HTML entities in it stay as they are, and padding is up to the
// model.
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
