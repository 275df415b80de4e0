// From text to token ids and back: one interface for all kinds of vocabularies.
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

/// A part of a prompt. The texts of adjacent parts are encoded as one text, but control tokens in it are recognized only in ControlText, so
/// that users cannot forge them. Ids are copied, and separate texts.
struct PlainText {
  std::string_view text;
};
struct ControlText {
  std::string_view text;
};
using PromptPart = std::variant<PlainText, ControlText, std::span<const TokenId>>;

struct EncodeOptions {
  bool add_special = true;     // add the tokens that the file specifies (BOS, EOS, ...) around the text
  bool parse_special = false;  // recognize control tokens in the text, such as <|im_start|>: it is ControlText
};

struct DecodeOptions {
  /// Decode control tokens to their text instead of to nothing.
  bool special = false;
  /// Remove the space before . , ! ? and around apostrophes if the vocabulary specifies it, and the leading space that encoding added, as
  /// llama.cpp's llama_detokenize does.
  bool tidy_spaces = false;
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Bytes that are not valid UTF-8 are encoded with the vocabulary's fallback. Linear in the input. Throws invalid_argument for an id
  /// outside the vocabulary; no text is an error.
  virtual std::vector<TokenId> encode(std::span<const PromptPart> parts, bool add_special) const = 0;
  /// Encodes one text as llama.cpp does: recognizes Harmony's markers (<|channel|>, ...) even without parse_special.
  virtual std::vector<TokenId> encode(std::string_view text, EncodeOptions options = {}) const = 0;

  /// The bytes of one token (not always whole UTF-8 sequences). Throws invalid_argument for an id outside the
  /// vocabulary.
  virtual std::string token_bytes(TokenId id, bool special = false) const = 0;

  /// Bytes of a whole sequence. Throws invalid_argument for an id outside the vocabulary.
  virtual std::string decode(std::span<const TokenId> ids, DecodeOptions options = {}) const = 0;

  virtual std::size_t size() const noexcept = 0;  // V
  virtual std::optional<TokenId> bos() const noexcept = 0;
  virtual std::optional<TokenId> eos() const noexcept = 0;
  /// EOS, EOT, <|im_end|> and whatever else ends a turn in this vocabulary.
  virtual bool ends_generation(TokenId id) const noexcept = 0;
  /// Control and unknown tokens, which decode to nothing by default.
  virtual bool is_special(TokenId id) const noexcept = 0;
  /// Tokens that texts are made of: not control tokens, also where these decode to something, and not unused ones.
  virtual bool is_text(TokenId id) const noexcept = 0;
};

/// The tokenizer that the metadata describes. Throws unsupported, naming tokenizer.ggml.model or tokenizer.ggml.pre, for an unknown kind,
/// and invalid_file for an inconsistent vocabulary.
std::unique_ptr<Tokenizer> make_tokenizer(const formats::Metadata& metadata);

/// Decodes tokens as they arrive, holding back bytes until a UTF-8 sequence is complete.
class StreamDecoder {
 public:
  /// special: decode control tokens to their text.
  explicit StreamDecoder(const Tokenizer& tokenizer, bool special = false) : tokenizer_(&tokenizer), special_(special) {}
  /// The text that is complete with this token; may be empty. Invalid bytes become U+FFFD.
  std::string push(TokenId id);
  /// At the end of the text: U+FFFD for the bytes that are held, if any.
  std::string finish();
  /// Whether bytes are held back.
  bool holds() const noexcept { return !held_.empty(); }

 private:
  const Tokenizer* tokenizer_;
  bool special_;
  std::string held_;
};

}  // namespace heed::tokenizer
