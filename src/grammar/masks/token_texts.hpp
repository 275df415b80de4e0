// The vocabulary for constraints: the bytes and the use of each token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "tokenizer/tokenizer.hpp"

namespace heed::grammar {

using tokenizer::TokenId;

/// `text`: adds its bytes to the text. `end`: ends a generation. `other`: never allowed. `control`: allowed only where a constraint
/// names it (outline/outline.hpp); its bytes are kControlBegin, its text, kControlEnd.
enum class TokenUse : std::uint8_t { text, end, other, control };

/// Bytes that never occur in UTF-8.
constexpr char kControlBegin = '\xff', kControlEnd = '\xfe';

/// Stored in one buffer, so that it can be passed to a module without a tokenizer and used there as is: the end of each token's
/// bytes (uint32[V]), each token's use (uint8[V]), then the bytes of all tokens.
class TokenTexts {
 public:
  TokenTexts() = default;
  /// For `size` tokens, each of which must be added.
  explicit TokenTexts(std::size_t size) : size_(size), stored_(kHead * size, '\0') {}
  /// Reads the result of stored().
  TokenTexts(std::string stored, std::size_t size) : size_(size), added_(size), stored_(std::move(stored)) {}

  /// Throws Refusal (too-large) if the texts have 4 GB or more.
  void add(TokenUse use, std::string_view text);

  std::string_view stored() const noexcept { return stored_; }
  std::size_t size() const noexcept { return size_; }  // V
  bool contains(TokenId token) const noexcept { return token >= 0 && static_cast<std::size_t>(token) < size(); }
  TokenUse use(TokenId token) const noexcept {
    return TokenUse(stored_[sizeof(std::uint32_t) * size_ + static_cast<std::size_t>(token)]);
  }
  /// Whether the token adds bytes to the text.
  bool is_written(TokenId token) const noexcept { return use(token) == TokenUse::text || use(token) == TokenUse::control; }
  std::string_view text(TokenId token) const noexcept {
    const auto i = static_cast<std::size_t>(token);
    const std::size_t begin = i == 0 ? 0 : end(i - 1);
    return {stored_.data() + kHead * size_ + begin, end(i) - begin};
  }

 private:
  static constexpr std::size_t kHead = sizeof(std::uint32_t) + sizeof(TokenUse);  // bytes before the texts, for each token

  std::uint32_t end(std::size_t token) const noexcept {
    std::uint32_t end;
    std::memcpy(&end, stored_.data() + sizeof(end) * token, sizeof(end));
    return end;
  }

  std::size_t size_ = 0, added_ = 0;
  std::string stored_;
};

/// The vocabulary of a tokenizer. Throws Refusal (too-large) if the texts have 4 GB or more.
TokenTexts token_texts(const tokenizer::Tokenizer& tokenizer);

}  // namespace heed::grammar
