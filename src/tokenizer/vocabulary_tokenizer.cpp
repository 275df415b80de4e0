#include "tokenizer/vocabulary_tokenizer.hpp"

#include <charconv>

#include "base/error.hpp"
#include "tokenizer/tidy_spaces.hpp"

namespace heed::tokenizer {
namespace {

// The byte of a byte token, such as 0x41 of "<0x41>".
std::optional<unsigned char> byte_of(std::string_view text) noexcept {
  if (text.size() != 6 || !text.starts_with("<0x") || !text.ends_with('>')) return std::nullopt;
  unsigned char byte = 0;
  const char* end = text.data() + 5;
  const auto read = std::from_chars(text.data() + 3, end, byte, 16);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return byte;
}

std::size_t bytes_of(std::span<const PromptPart> parts) noexcept {
  std::size_t bytes = 0;
  for (const PromptPart& part : parts) {
    if (const auto* plain = std::get_if<PlainText>(&part)) bytes += plain->text.size();
    if (const auto* marked = std::get_if<ControlText>(&part)) bytes += marked->text.size();
  }
  return bytes;
}

}  // namespace

VocabularyTokenizer::VocabularyTokenizer(const formats::Metadata& metadata, const Vocabulary::Defaults& defaults, Tidying tidying)
    : vocabulary_(metadata, defaults),
      special_(vocabulary_, vocabulary_.of_kinds({TokenKind::user_defined}),
               vocabulary_.of_kinds({TokenKind::control, TokenKind::shown, TokenKind::unknown})),
      shown_(vocabulary_, vocabulary_.of_kinds({TokenKind::user_defined, TokenKind::shown}),
             vocabulary_.of_kinds({TokenKind::control, TokenKind::unknown})),
      trimming_(vocabulary_, metadata),
      tidying_(tidying) {}

std::vector<TokenId> VocabularyTokenizer::encode(std::string_view text, EncodeOptions options) const {
  const PromptPart part = options.parse_special ? PromptPart(ControlText{text}) : PlainText{text};
  return encode({&part, 1}, options.add_special, shown_);
}

std::vector<TokenId> VocabularyTokenizer::encode(std::span<const PromptPart> parts, bool add_special) const {
  return encode(parts, add_special, special_);
}

std::vector<TokenId> VocabularyTokenizer::encode(std::span<const PromptPart> parts, bool add_special,
                                                 const SpecialTokens& special) const {
  std::vector<TokenId> ids;
  if (add_special && vocabulary_.before_text()) ids.push_back(*vocabulary_.before_text());
  WordCache cache(bytes_of(parts), ids);
  std::string text;
  std::vector<Stretch> control;
  const auto encode_so_far = [&] {
    std::size_t begin = 0;
    const auto encode_up_to = [&](std::size_t end) {
      if (begin < end) encode_text(std::string_view(text).substr(begin, end - begin), cache, ids);
    };
    for (const auto& token : special.find(text, control)) {
      encode_up_to(trimming_.before(token.id) ? end_without_space(text, begin, token.begin) : token.begin);
      ids.push_back(token.id);
      begin = trimming_.after(token.id) ? begin_without_space(text, token.end) : token.end;
    }
    encode_up_to(text.size());
    text.clear();
    control.clear();
  };
  for (const PromptPart& part : parts) {
    const std::size_t begin = text.size();
    if (const auto* plain = std::get_if<PlainText>(&part)) {
      text += plain->text;
    } else if (const auto* marked = std::get_if<ControlText>(&part)) {
      text += marked->text;
      if (!control.empty() && control.back().end == begin) control.back().end = text.size();
      else if (begin < text.size()) control.push_back({begin, text.size()});
    } else {
      const auto part_ids = std::get<std::span<const TokenId>>(part);
      for (const TokenId id : part_ids) check(id);
      encode_so_far();
      ids.insert(ids.end(), part_ids.begin(), part_ids.end());
    }
  }
  encode_so_far();
  if (add_special && vocabulary_.after_text()) ids.push_back(*vocabulary_.after_text());
  return ids;
}

bool VocabularyTokenizer::is_special(TokenId id) const noexcept {
  if (!vocabulary_.contains(id)) return false;
  return vocabulary_.kind(id) == TokenKind::control || vocabulary_.kind(id) == TokenKind::unknown;
}

bool VocabularyTokenizer::is_text(TokenId id) const noexcept {
  if (!vocabulary_.contains(id)) return false;
  const TokenKind kind = vocabulary_.kind(id);
  return kind == TokenKind::normal || kind == TokenKind::user_defined || kind == TokenKind::byte;
}

void VocabularyTokenizer::check(TokenId id) const {
  if (vocabulary_.contains(id)) return;
  throw Error(ErrorCode::invalid_argument,
              std::to_string(id) + " is outside the vocabulary of " + std::to_string(size()) + " tokens", "token");
}

void VocabularyTokenizer::append_bytes(TokenId id, bool special, std::string& out) const {
  check(id);
  const std::string_view text = vocabulary_.text(id);
  switch (vocabulary_.kind(id)) {
    case TokenKind::normal: append_normal(text, out); break;
    case TokenKind::user_defined:
    case TokenKind::shown: out += text; break;
    case TokenKind::unknown:
    case TokenKind::control:
      if (special) out += text;
      break;
    case TokenKind::byte:
      if (const auto byte = byte_of(text)) out.push_back(static_cast<char>(*byte));
      break;
    case TokenKind::unused:
    case TokenKind::undefined: break;
  }
}

std::string VocabularyTokenizer::token_bytes(TokenId id, bool special) const {
  std::string bytes;
  append_bytes(id, special, bytes);
  return bytes;
}

std::string VocabularyTokenizer::decode(std::span<const TokenId> ids, DecodeOptions options) const {
  std::string text;
  bool at_start = true;
  for (TokenId id : ids) {
    append_bytes(id, options.special, text);
    if (at_start && options.tidy_spaces && tidying_.leading_space && text.starts_with(' ')) text.erase(0, 1);
    at_start = false;
  }
  if (options.tidy_spaces && tidying_.trailing_space && text.ends_with(' ')) text.pop_back();
  return options.tidy_spaces && tidying_.punctuation ? tidy_spaces(text) : text;
}

}  // namespace heed::tokenizer
