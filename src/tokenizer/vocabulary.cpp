#include "tokenizer/vocabulary.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>

#include "base/error.hpp"
#include "tokenizer/token_roles.hpp"

namespace heed::tokenizer {
namespace {

constexpr const char* kTokensKey = "tokenizer.ggml.tokens";
constexpr const char* kKindsKey = "tokenizer.ggml.token_type";
constexpr const char* kBosKey = "tokenizer.ggml.bos_token_id";
constexpr const char* kEosKey = "tokenizer.ggml.eos_token_id";
constexpr const char* kUnknownKey = "tokenizer.ggml.unknown_token_id";
constexpr const char* kSeparatorKey = "tokenizer.ggml.seperator_token_id";  // the spelling of GGUF

[[noreturn]] void fail(std::string message, const char* key) { throw Error(ErrorCode::invalid_file, std::move(message), key); }

// Appends a text with Python's escapes for bytes: \t, \n, \r, \x and two digits, and a backslash before any other character.
void append_unescaped(std::string& out, std::string_view text) {
  constexpr std::string_view kNames = "tnr", kBytes = "\t\n\r";
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.size() < 2 || text[0] != '\\') {
      out.push_back(text[0]);
      continue;
    }
    text.remove_prefix(1);
    unsigned char byte = 0;
    if (text.size() > 2 && text[0] == 'x' && std::from_chars(text.data() + 1, text.data() + 3, byte, 16).ptr == text.data() + 3) {
      out.push_back(static_cast<char>(byte));
      text.remove_prefix(2);
      continue;
    }
    const std::size_t name = kNames.find(text[0]);
    out.push_back(name == std::string_view::npos ? text[0] : kBytes[name]);
  }
}

TokenId required(std::optional<TokenId> id, const char* key) {
  if (!id) fail("the file does not specify this token, which is required", key);
  return *id;
}

}  // namespace

Vocabulary::Vocabulary(const formats::Metadata& metadata, const Defaults& defaults) {
  read_texts(metadata, defaults.escaped);
  read_kinds(metadata);
  if (defaults.user_defined_by_score) {
    const std::vector<float> scores = read_scores(metadata);
    for (TokenId id : of_kinds({TokenKind::user_defined})) {
      if (scores[static_cast<std::size_t>(id)] == 0) kinds_[static_cast<std::size_t>(id)] = TokenKind::normal;
    }
  }
  build_index();

  const auto role = [&](const char* key, std::optional<TokenId> otherwise) -> std::optional<TokenId> {
    if (const auto id = token_id(metadata, key, size())) return id;
    return otherwise && contains(*otherwise) ? otherwise : std::nullopt;
  };
  bos_ = role(kBosKey, defaults.bos);
  eos_ = role(kEosKey, defaults.eos);
  unknown_ = role(kUnknownKey, defaults.unknown);
  separator_ = role(kSeparatorKey, defaults.separator);
  const auto added = [&](const char* flag, bool otherwise, std::optional<TokenId> id, const char* key) {
    return metadata.flag(flag, otherwise) ? std::optional(required(id, key)) : std::nullopt;
  };
  before_text_ = added("tokenizer.ggml.add_bos_token", defaults.add_bos && bos_, bos_, kBosKey);
  if (defaults.always_bos) before_text_ = bos_;
  after_text_ = added("tokenizer.ggml.add_eos_token", defaults.add_eos && eos_, eos_, kEosKey);
  // The separator between two texts is added by encode_pair (pair.hpp).
  added("tokenizer.ggml.add_sep_token", defaults.add_bos_and_separator, separator_, kSeparatorKey);
  if (defaults.add_bos_and_separator) {
    before_text_ = required(bos_, kBosKey);
    after_text_ = required(separator_, kSeparatorKey);
  }

  TokenRoles roles = find_roles(*this, metadata);
  if (!defaults.escaped)
    for (const auto& [id, kind] : roles.kinds) kinds_[static_cast<std::size_t>(id)] = kind;
  generation_ends_ = std::move(roles.generation_ends);
}

void Vocabulary::read_texts(const formats::Metadata& metadata, bool escaped) {
  const auto& tokens = metadata.require<formats::Metadata::Strings>(kTokensKey);
  if (tokens.empty()) fail("the vocabulary is empty", kTokensKey);
  std::size_t bytes = 0;
  for (const std::string& token : tokens) bytes += token.size();
  texts_.reserve(bytes);
  begins_.reserve(tokens.size() + 1);
  begins_.push_back(0);
  for (const std::string& token : tokens) {
    if (token.size() > kLongestToken) {
      fail("token " + std::to_string(begins_.size() - 1) + " has " + std::to_string(token.size()) + " bytes; at most " +
               std::to_string(kLongestToken) + " are supported",
           kTokensKey);
    }
    // Unused ids have empty texts in some files; names make them distinct.
    if (token.empty()) texts_ += "[EMPTY_" + std::to_string(begins_.size() - 1) + "]";
    else if (escaped) append_unescaped(texts_, token);
    else texts_ += token;
    begins_.push_back(texts_.size());
  }
}

void Vocabulary::read_kinds(const formats::Metadata& metadata) {
  kinds_.assign(begins_.size() - 1, TokenKind::normal);
  const auto* kinds = metadata.find<formats::Metadata::Integers>(kKindsKey);
  if (!kinds) return;
  if (kinds->size() < kinds_.size()) fail("is shorter than the list of tokens", kKindsKey);
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const std::int64_t kind = (*kinds)[i];
    const bool known = kind >= static_cast<int>(TokenKind::normal) && kind <= static_cast<int>(TokenKind::byte);
    kinds_[i] = known ? static_cast<TokenKind>(kind) : TokenKind::undefined;
  }
}

void Vocabulary::build_index() {
  slots_.resize(std::bit_ceil(2 * size()));
  for (TokenId id = 0; contains(id); ++id) {
    const auto [slot, hash] = place(text(id));
    slots_[slot] = {hash, id};  // of tokens with equal texts, the last counts, as in llama.cpp: Gemma 4's own files have some
  }
}

// The slot of the text, or the empty slot for it.
Vocabulary::Place Vocabulary::place(std::string_view text) const noexcept {
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(text));
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot].id >= 0 && (slots_[slot].hash != hash || this->text(slots_[slot].id) != text)) {
    slot = (slot + 1) & mask;
  }
  return {slot, hash};
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const noexcept {
  const TokenId id = slots_[place(text).slot].id;
  if (id < 0) return std::nullopt;
  return id;
}

std::optional<TokenId> Vocabulary::find_spelled(std::string_view text) const noexcept {
  const auto id = find(text);
  if (!id) return std::nullopt;
  switch (kind(*id)) {
    case TokenKind::control:
    case TokenKind::shown:
    case TokenKind::unknown:
    case TokenKind::byte: return std::nullopt;
    case TokenKind::undefined:
    case TokenKind::normal:
    case TokenKind::user_defined:
    case TokenKind::unused: break;
  }
  return id;
}

TokenId Vocabulary::require_unknown() const { return required(unknown_, kUnknownKey); }

std::vector<float> Vocabulary::read_scores(const formats::Metadata& metadata) const {
  constexpr const char* kScoresKey = "tokenizer.ggml.scores";
  const auto& scores = metadata.require<formats::Metadata::Floats>(kScoresKey);
  if (scores.size() < size()) fail("is shorter than the list of tokens", kScoresKey);
  return {scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(size())};
}

std::vector<TokenId> Vocabulary::of_kinds(std::initializer_list<TokenKind> kinds) const {
  std::vector<TokenId> ids;
  for (TokenId id = 0; contains(id); ++id) {
    if (std::find(kinds.begin(), kinds.end(), kind(id)) != kinds.end()) ids.push_back(id);
  }
  return ids;
}

bool Vocabulary::ends_generation(TokenId id) const noexcept {
  return std::find(generation_ends_.begin(), generation_ends_.end(), id) != generation_ends_.end();
}

ByteTokens Vocabulary::byte_tokens() const {
  ByteTokens tokens;
  for (unsigned byte = 0; byte < tokens.size(); ++byte) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    const char name[] = {'<', '0', 'x', kHex[byte >> 4], kHex[byte & 15], '>'};
    tokens[byte] = find({name, sizeof name});
  }
  return tokens;
}

}  // namespace heed::tokenizer
