// The base class of all tokenizers: handles special tokens within and around the text, and decoding. Derived classes implement the
// encoding of plain text and the bytes of a normal token.
#pragma once

#include "tokenizer/space_trimming.hpp"
#include "tokenizer/special_tokens.hpp"
#include "tokenizer/tokenizer.hpp"
#include "tokenizer/vocabulary.hpp"
#include "tokenizer/word_cache.hpp"

namespace heed::tokenizer {

class VocabularyTokenizer : public Tokenizer {
 public:
  VocabularyTokenizer(const VocabularyTokenizer&) = delete;
  VocabularyTokenizer& operator=(const VocabularyTokenizer&) = delete;

  std::vector<TokenId> encode(std::span<const PromptPart> parts, bool add_special) const final;
  std::vector<TokenId> encode(std::string_view text, EncodeOptions options) const final;
  std::string token_bytes(TokenId id, bool special) const final;
  std::string decode(std::span<const TokenId> ids, DecodeOptions options) const final;

  std::size_t size() const noexcept final { return vocabulary_.size(); }
  std::optional<TokenId> bos() const noexcept final { return vocabulary_.bos(); }
  std::optional<TokenId> eos() const noexcept final { return vocabulary_.eos(); }
  bool ends_generation(TokenId id) const noexcept final { return vocabulary_.ends_generation(id); }
  bool is_special(TokenId id) const noexcept final;
  bool is_text(TokenId id) const noexcept final;

 protected:
  struct Tidying {
    bool leading_space = false;   // encoding adds a space before a text
    bool trailing_space = false;  // decoding adds a space after each word
    bool punctuation = false;     // see tidy_spaces.hpp
  };

  VocabularyTokenizer(const formats::Metadata& metadata, const Vocabulary::Defaults& defaults, Tidying tidying);

  /// Appends the tokens of a piece of text between special tokens to `out`, which is also the output of `cache`.
  virtual void encode_text(std::string_view text, WordCache& cache, std::vector<TokenId>& out) const = 0;
  /// Appends the bytes of a normal token, given its text in the vocabulary.
  virtual void append_normal(std::string_view text, std::string& out) const = 0;

  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }

 private:
  void check(TokenId id) const;
  void append_bytes(TokenId id, bool special, std::string& out) const;
  std::vector<TokenId> encode(std::span<const PromptPart> parts, bool add_special, const SpecialTokens& special) const;

  Vocabulary vocabulary_;
  SpecialTokens special_;
  SpecialTokens shown_;  // like special_, but finds tokens of TokenKind::shown anywhere
  SpaceTrimming trimming_;
  Tidying tidying_;
};

}  // namespace heed::tokenizer
