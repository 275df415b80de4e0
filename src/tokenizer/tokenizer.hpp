// The interface of tokenizers: converts texts to token ids and back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "formats/metadata.hpp"

namespace heed::tokenizer {

using TokenId = std::int32_t;

/// A part of a prompt. Adjacent texts are encoded as one text, but control tokens are recognized only in ControlText, so that users
/// cannot forge them. Token ids are copied; the texts before and after them are encoded separately.
struct PlainText {
  std::string_view text;
};
struct ControlText {
  std::string_view text;
};
using PromptPart = std::variant<PlainText, ControlText, std::span<const TokenId>>;

struct EncodeOptions {
  bool add_special = true;     // add the tokens that the file specifies (BOS, EOS, ...) around the text
  bool parse_special = false;  // treat the text as ControlText: recognize control tokens such as <|im_start|>
};

struct DecodeOptions {
  /// Decode control tokens to their text instead of to nothing.
  bool special = false;
  /// As llama.cpp's llama_detokenize: remove the leading space that encoding added and, if the vocabulary specifies it, the space
  /// before . , ! ? and around apostrophes.
  bool tidy_spaces = false;
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Encodes a prompt. Bytes that are not valid UTF-8 are encoded with the vocabulary's fallback. Linear in the input. Throws
  /// invalid_argument for an id outside the vocabulary; never fails for a text.
  virtual std::vector<TokenId> encode(std::span<const PromptPart> parts, bool add_special) const = 0;
  /// Encodes one text as llama.cpp does: recognizes Harmony's markers (<|channel|>, ...) even without parse_special.
  virtual std::vector<TokenId> encode(std::string_view text, EncodeOptions options = {}) const = 0;

  /// The bytes of one token (not always whole UTF-8 sequences). Throws invalid_argument for an id outside the
  /// vocabulary.
  virtual std::string token_bytes(TokenId id, bool special = false) const = 0;

  /// The bytes of a sequence of tokens. Throws invalid_argument for an id outside the vocabulary.
  virtual std::string decode(std::span<const TokenId> ids, DecodeOptions options = {}) const = 0;

  virtual std::size_t size() const noexcept = 0;  // V
  virtual std::optional<TokenId> bos() const noexcept = 0;
  virtual std::optional<TokenId> eos() const noexcept = 0;
  /// Whether the token is EOS, EOT, <|im_end|> or another end of a turn.
  virtual bool ends_generation(TokenId id) const noexcept = 0;
  /// Whether it is a control or unknown token, which decodes to nothing by default.
  virtual bool is_special(TokenId id) const noexcept = 0;
  /// Whether the token can be part of a text: not an unused token, nor any control token, even one that decodes to its text.
  virtual bool is_text(TokenId id) const noexcept = 0;
};

// Completes both types: a file that emits a tokenizer's vtable may use neither, and Clang gives a function whose parameter type is
// incomplete there no signature, so that its vtable entry would trap in WebAssembly.
static_assert(sizeof(std::span<const PromptPart>) > 0 && sizeof(std::span<const TokenId>) > 0);

/// The tokenizer that the metadata describes. Throws unsupported, naming tokenizer.ggml.model or tokenizer.ggml.pre, for an unknown
/// kind, and invalid_file for an inconsistent vocabulary.
std::unique_ptr<Tokenizer> make_tokenizer(const formats::Metadata& metadata);

/// Decodes tokens as they arrive; holds back bytes until a UTF-8 sequence is complete.
class StreamDecoder {
 public:
  /// special: decode control tokens to their text.
  explicit StreamDecoder(const Tokenizer& tokenizer, bool special = false) : tokenizer_(&tokenizer), special_(special) {}
  /// Adds a token. Returns the text that is complete now, which may be empty. Invalid bytes become U+FFFD.
  std::string push(TokenId id);
  /// Ends the text. Returns U+FFFD for bytes that are held back, if any.
  std::string finish();
  /// Whether bytes are held back.
  bool holds() const noexcept { return !held_.empty(); }

 private:
  const Tokenizer* tokenizer_;
  bool special_;
  std::string held_;
};

}  // namespace heed::tokenizer
