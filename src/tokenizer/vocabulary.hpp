// The tokens of a model file: texts, kinds and roles, and a lookup by text. For the keys "tokenizer.ggml", see
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/metadata.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::tokenizer {

/// The values of tokenizer.ggml.token_type, plus `shown`: a control token that decodes to its text.
enum class TokenKind : std::uint8_t { undefined, normal, unknown, control, user_defined, unused, byte, shown };

using ByteTokens = std::array<std::optional<TokenId>, 256>;

class Vocabulary {
 public:
  /// Defaults of a kind of vocabulary, for keys that the file lacks. Ids outside the vocabulary are ignored.
  struct Defaults {
    std::optional<TokenId> bos = {}, eos = {}, unknown = {}, separator = {};
    bool add_bos = false;
    bool add_eos = false;
    /// Gemma 4: BOS before a text, whatever the file specifies.
    bool always_bos = false;
    /// BERT: BOS ([CLS]) before a text and the separator after it, whatever the file specifies.
    bool add_bos_and_separator = false;
    /// Unigram: user-defined tokens with score 0 are SentencePiece's own, and occur within texts like normal ones. All other
    /// user-defined tokens were added by Hugging Face's tokenizers, and split the text around them.
    bool user_defined_by_score = false;
    /// RWKV: texts are bytes, written with escapes such as \n and \xff; no token changes its kind because of its text.
    bool escaped = false;
  };

  /// The maximum length of a token's text in bytes, which limits the time to find tokens in a text.
  static constexpr std::size_t kLongestToken = 2048;

  /// Ignores ids outside the vocabulary. Throws invalid_file if there are no tokens, or one is longer than kLongestToken.
  Vocabulary(const formats::Metadata& metadata, const Defaults& defaults);

  std::size_t size() const noexcept { return kinds_.size(); }
  bool contains(TokenId id) const noexcept { return id >= 0 && static_cast<std::size_t>(id) < size(); }

  /// The text as in the file, with U+2581 for spaces or GPT-2's characters for bytes, but with escapes resolved.
  std::string_view text(TokenId id) const noexcept {
    const auto i = static_cast<std::size_t>(id);
    return std::string_view(texts_).substr(begins_[i], begins_[i + 1] - begins_[i]);
  }
  TokenKind kind(TokenId id) const noexcept { return kinds_[static_cast<std::size_t>(id)]; }
  std::optional<TokenId> find(std::string_view text) const noexcept;  // if several tokens have this text, the last
  /// Like find(), but not for control, unknown and byte tokens: these never result from characters and merges.
  std::optional<TokenId> find_spelled(std::string_view text) const noexcept;
  /// The tokens of these kinds, in order.
  std::vector<TokenId> of_kinds(std::initializer_list<TokenKind> kinds) const;

  std::optional<TokenId> bos() const noexcept { return bos_; }
  std::optional<TokenId> eos() const noexcept { return eos_; }
  std::optional<TokenId> unknown() const noexcept { return unknown_; }
  std::optional<TokenId> separator() const noexcept { return separator_; }
  /// The unknown token. Throws invalid_file if there is none.
  TokenId require_unknown() const;
  /// tokenizer.ggml.scores, [V]. Throws invalid_file if the key is missing or has too few values.
  std::vector<float> read_scores(const formats::Metadata& metadata) const;
  /// The tokens that encoding with add_special adds before and after a text.
  std::optional<TokenId> before_text() const noexcept { return before_text_; }
  std::optional<TokenId> after_text() const noexcept { return after_text_; }
  bool ends_generation(TokenId id) const noexcept;
  /// The tokens "<0x00>" to "<0xFF>".
  ByteTokens byte_tokens() const;

 private:
  // Stores the hash to avoid most comparisons of texts.
  struct Slot {
    std::uint32_t hash = 0;
    TokenId id = -1;
  };
  struct Place {
    std::size_t slot;
    std::uint32_t hash;
  };

  void read_texts(const formats::Metadata& metadata, bool escaped);
  void read_kinds(const formats::Metadata& metadata);
  void build_index();
  Place place(std::string_view text) const noexcept;

  std::string texts_;                // concatenated
  std::vector<std::size_t> begins_;  // [V + 1]: token i is texts_[begins_[i], begins_[i + 1])
  std::vector<TokenKind> kinds_;     // [V]
  std::vector<Slot> slots_;          // hash table with linear probing; the size is a power of two, at least half empty
  std::vector<TokenId> generation_ends_;
  std::optional<TokenId> bos_, eos_, unknown_, separator_;
  std::optional<TokenId> before_text_, after_text_;
};

}  // namespace heed::tokenizer
