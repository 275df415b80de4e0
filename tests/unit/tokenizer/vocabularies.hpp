// Small vocabularies, built by tests.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "formats/metadata.hpp"
#include "tokenizer/byte_alphabet.hpp"
#include "tokenizer/tokenizer.hpp"
#include "tokenizer/vocabulary.hpp"

namespace heed::test {

using tokenizer::TokenId;
using tokenizer::TokenKind;
using Ids = std::vector<TokenId>;

/// Without the tokens that a model puts around each text.
inline constexpr tokenizer::EncodeOptions kPlain{.add_special = false};

/// Collects tokens and writes them down as a model file does.
class VocabularyBuilder {
 public:
  TokenId add(std::string text, TokenKind kind = TokenKind::normal, float score = 0) {
    texts_.push_back(std::move(text));
    kinds_.push_back(static_cast<std::int64_t>(kind));
    scores_.push_back(score);
    return static_cast<TokenId>(texts_.size() - 1);
  }

  void merge(const std::string& left, const std::string& right) {
    merges_.push_back(left + " " + right);
    add(left + right);
  }
  void merge_only(std::string pair) { merges_.push_back(std::move(pair)); }

  template <class Value>
  void set(const std::string& key, Value value) {
    extra_.set("tokenizer.ggml." + key, formats::Metadata::Value(std::move(value)));
  }

  /// Of the kind "llama", "gpt2", "gemma4", "t5", "bert", "clip", "rwkv", "plamo2" or "plamo3".
  formats::Metadata metadata(const std::string& model) const {
    formats::Metadata metadata;
    metadata.set("tokenizer.ggml.model", model);
    metadata.set("tokenizer.ggml.tokens", texts_);
    metadata.set("tokenizer.ggml.token_type", kinds_);
    if (model == "llama" || model == "t5" || model.starts_with("plamo")) metadata.set("tokenizer.ggml.scores", scores_);
    if (model == "gpt2" || model == "gemma4" || model == "clip") metadata.set("tokenizer.ggml.merges", merges_);
    for (const auto& [key, value] : extra_.values()) metadata.set(key, value);
    return metadata;
  }

 private:
  formats::Metadata::Strings texts_, merges_;
  formats::Metadata::Integers kinds_;
  formats::Metadata::Floats scores_;
  formats::Metadata extra_;
};

/// <unk>, <s>, </s> and the 256 bytes, as SentencePiece vocabularies begin.
inline VocabularyBuilder sentencepiece_vocabulary() {
  VocabularyBuilder builder;
  builder.add("<unk>", TokenKind::unknown);
  builder.add("<s>", TokenKind::control);
  builder.add("</s>", TokenKind::control);
  for (int byte = 0; byte < 256; ++byte) {
    constexpr const char* kHex = "0123456789ABCDEF";
    builder.add(std::string("<0x") + kHex[byte >> 4] + kHex[byte & 15] + ">", TokenKind::byte);
  }
  return builder;
}

/// The ids in a SentencePiece vocabulary.
inline constexpr TokenId kBos = 1;
constexpr TokenId byte_token(int value) { return 3 + value; }

/// The 256 bytes in GPT-2's characters. Token b is byte b.
inline VocabularyBuilder byte_level_vocabulary() {
  VocabularyBuilder builder;
  for (char16_t character : tokenizer::kCharacterOfByte) {
    std::string text;
    utf8::append(text, character);
    builder.add(text);
  }
  return builder;
}

}  // namespace heed::test
