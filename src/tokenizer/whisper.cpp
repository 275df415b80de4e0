#include "tokenizer/whisper.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace heed::tokenizer {
namespace {

enum class Kind : std::uint8_t { space, letter, digit, other };

/// The character's kind by ASCII's classes; bytes of characters outside ASCII are `other`.
Kind kind_of(char c) noexcept {
  if (c == ' ' || (c >= '\t' && c <= '\r')) return Kind::space;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Kind::letter;
  return c >= '0' && c <= '9' ? Kind::digit : Kind::other;
}

constexpr std::array<std::string_view, 7> kEndings = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};

/// The length of the first word of `text`: an ending such as 's; a run of letters, digits or other bytes, with the space before it;
/// or a run of spaces, without the last one before a word.
std::size_t word_length(std::string_view text) noexcept {
  for (const std::string_view ending : kEndings)
    if (text.starts_with(ending)) return ending.size();
  const auto run_from = [&](std::size_t begin) {
    std::size_t end = begin;
    while (end < text.size() && kind_of(text[end]) == kind_of(text[begin])) ++end;
    return end;
  };
  const std::size_t first = text[0] == ' ' && text.size() > 1 && kind_of(text[1]) != Kind::space ? 1 : 0;
  const std::size_t end = run_from(first);
  const bool spaces_before_word = kind_of(text[first]) == Kind::space && end < text.size() && end > 1;
  return spaces_before_word ? end - 1 : end;
}

}  // namespace

Whisper::Whisper(const formats::Metadata& metadata)
    : words_(metadata.require<formats::Metadata::Strings>("tokenizer.ggml.tokens")), tokens_(words_.size()) {
  if (words_.size() <= static_cast<std::size_t>(tokens_.first_time))
    throw Error(ErrorCode::invalid_file, "must have at least 51864 tokens", "tokenizer.ggml.tokens");
  ids_.reserve(words_.size());
  for (std::size_t id = 0; id < words_.size(); ++id)
    if (!words_[id].empty()) ids_[words_[id]] = static_cast<TokenId>(id);  // if words are equal, the last one is found
}

std::optional<TokenId> Whisper::find(std::string_view word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

void Whisper::encode_text(std::string_view text, std::vector<TokenId>& out) const {
  while (!text.empty()) {
    std::string_view word = text.substr(0, word_length(text));
    text.remove_prefix(word.size());
    while (!word.empty()) {
      std::size_t length = word.size();
      auto found = ids_.find(word);
      while (found == ids_.end() && --length > 0) found = ids_.find(word.substr(0, length));
      if (found != ids_.end()) out.push_back(found->second);
      word.remove_prefix(std::max<std::size_t>(length, 1));  // a byte that is not a token is dropped
    }
  }
}

std::vector<TokenId> Whisper::encode(std::span<const PromptPart> parts, bool /*add_special*/) const {
  std::vector<TokenId> ids;
  for (const PromptPart& part : parts) {
    if (const auto* plain = std::get_if<PlainText>(&part)) encode_text(plain->text, ids);
    else if (const auto* control = std::get_if<ControlText>(&part)) encode_text(control->text, ids);
    else
      for (const TokenId id : std::get<std::span<const TokenId>>(part)) {
        check(id);
        ids.push_back(id);
      }
  }
  return ids;
}

std::vector<TokenId> Whisper::encode(std::string_view text, EncodeOptions /*options*/) const {
  std::vector<TokenId> ids;
  encode_text(text, ids);
  return ids;
}

void Whisper::check(TokenId id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= words_.size())
    throw Error(ErrorCode::invalid_argument,
                "token " + std::to_string(id) + " is outside the vocabulary of " + std::to_string(words_.size()), "tokens");
}

std::string Whisper::token_bytes(TokenId id, bool special) const {
  check(id);
  if (!is_special(id)) return words_[static_cast<std::size_t>(id)];
  return special ? tokens_.name(id) : std::string();
}

std::string Whisper::decode(std::span<const TokenId> ids, DecodeOptions options) const {
  std::string text;
  for (const TokenId id : ids) text += token_bytes(id, options.special);
  return text;
}

}  // namespace heed::tokenizer
