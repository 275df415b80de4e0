// Whisper's vocabulary as whisper.cpp reads it: a text is cut into words, and these, left to right, into the longest known pieces.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tokenizer/tokenizer.hpp"
#include "tokenizer/whisper_tokens.hpp"

namespace heed::tokenizer {

class Whisper final : public Tokenizer {
 public:
  /// Throws invalid_file for a vocabulary that is too small for its special tokens.
  explicit Whisper(const formats::Metadata& metadata);

  const WhisperTokens& special() const noexcept { return tokens_; }
  /// The token of a word; the last one if several tokens have it.
  std::optional<TokenId> find(std::string_view word) const;

  /// Control tokens are not recognized in texts.
  std::vector<TokenId> encode(std::span<const PromptPart> parts, bool add_special) const override;
  std::vector<TokenId> encode(std::string_view text, EncodeOptions options) const override;
  std::string token_bytes(TokenId id, bool special) const override;
  std::string decode(std::span<const TokenId> ids, DecodeOptions options) const override;

  std::size_t size() const noexcept override { return words_.size(); }
  std::optional<TokenId> bos() const noexcept override { return tokens_.start; }
  std::optional<TokenId> eos() const noexcept override { return tokens_.end; }
  bool ends_generation(TokenId id) const noexcept override { return id == tokens_.end; }
  bool is_special(TokenId id) const noexcept override { return id >= tokens_.end; }
  bool is_text(TokenId id) const noexcept override { return id < tokens_.end; }

 private:
  void encode_text(std::string_view text, std::vector<TokenId>& out) const;
  void check(TokenId id) const;

  std::vector<std::string> words_;
  WhisperTokens tokens_;
  std::unordered_map<std::string_view, TokenId> ids_;
};

}  // namespace heed::tokenizer
