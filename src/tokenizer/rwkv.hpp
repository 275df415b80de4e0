// The vocabulary of RWKV's World models (tokenizer.ggml.model "rwkv"): a text is cut into the longest tokens from its beginning on. Tokens
// are byte strings, which files write with escapes.
#pragma once

#include <vector>

#include "tokenizer/trie.hpp"
#include "tokenizer/vocabulary_tokenizer.hpp"

namespace heed::tokenizer {

class Rwkv final : public VocabularyTokenizer {
 public:
  explicit Rwkv(const formats::Metadata& metadata)
      : VocabularyTokenizer(metadata, {.escaped = true}, {}), tokens_(vocabulary(), vocabulary().of_kinds({TokenKind::normal})) {}

 private:
  void encode_text(std::string_view text, WordCache& /*cache*/, std::vector<TokenId>& out) const override {
    while (!text.empty()) {
      const Trie::Match match = tokens_.longest_prefix(text);
      if (const auto id = match.length > 0 ? match.id : vocabulary().unknown()) out.push_back(*id);
      text.remove_prefix(match.length > 0 ? match.length : 1);
    }
  }
  void append_normal(std::string_view text, std::string& out) const override { out += text; }

  Trie tokens_;
};

}  // namespace heed::tokenizer
