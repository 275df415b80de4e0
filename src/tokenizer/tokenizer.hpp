// Text to token ids and back. One interface over the kinds of vocabularies; the file's metadata say which.
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

/// A part of a prompt. The texts of parts that follow one another are encoded as one text, but control tokens written out in it
/// are read as such in ControlText only: what a user writes cannot forge one. Ids stand for themselves, and part the text.
struct PlainText {
  std::string_view text;
};
struct ControlText {
  std::string_view text;
};
using PromptPart = std::variant<PlainText, ControlText, std::span<const TokenId>>;

struct EncodeOptions {
  bool add_special = true;     // put the tokens that the file asks for (BOS, EOS, ...) around the text
  bool parse_special = false;  // read control tokens written in the text, such as <|im_start|>: it is ControlText
};

struct DecodeOptions {
  /// Show control tokens as their text; otherwise they decode to nothing.
  bool special = false;
  /// Drop the space before . , ! ? and around apostrophes where the vocabulary is used to it, and the leading
  /// space that encoding put in: what llama.cpp's llama_detokenize does.
  bool tidy_spaces = false;
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Bytes that are not valid UTF-8 are encoded as the vocabulary's fallback allows. Linear in the input. Throws
  /// invalid_argument for an id outside the vocabulary, and nothing for text.
  virtual std::vector<TokenId> encode(std::span<const PromptPart> parts, bool add_special) const = 0;
  /// The same of one text, as llama.cpp reads it: Harmony's markers (<|channel|>, ...) are found even without parse_special.
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
  /// Control and unknown tokens, which decode to nothing unless asked for.
  virtual bool is_special(TokenId id) const noexcept = 0;
  /// Tokens that texts are made of: not control tokens, also where these decode to something, and not unused ones.
  virtual bool is_text(TokenId id) const noexcept = 0;
};

/// Throws unsupported, naming tokenizer.ggml.model or tokenizer.ggml.pre, for a kind that Heed does not have,
/// and invalid_file for a vocabulary that contradicts itself.
std::unique_ptr<Tokenizer> make_tokenizer(const formats::Metadata& metadata);

/// Turns tokens into text as they come, holding back bytes until a UTF-8 sequence is whole.
class StreamDecoder {
 public:
  /// `special`: control tokens give their text, otherwise nothing.
  explicit StreamDecoder(const Tokenizer& tokenizer, bool special = false) : tokenizer_(&tokenizer), special_(special) {}
  /// The text that became whole with this token; may be empty. Invalid bytes become U+FFFD.
  std::string push(TokenId id);
  /// What is still held, as U+FFFD where it is not whole.
  std::string finish();
  /// Whether bytes are held back.
  bool holds() const noexcept { return !held_.empty(); }

 private:
  const Tokenizer* tokenizer_;
  bool special_;
  std::string held_;
};

}  // namespace heed::tokenizer
