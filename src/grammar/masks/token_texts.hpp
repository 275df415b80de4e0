// The vocabulary as constraints see it: the bytes of each token, and what it is.
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

/// `text`: its bytes become part of what is written. `end`: ends a generation. `other`: never allowed. `control`: allowed only where a
/// language names it (outline/outline.hpp); its bytes are its text between kControlBegin and kControlEnd.
enum class TokenUse : std::uint8_t { text, end, other, control };

/// Bytes that no text has: they occur nowhere in UTF-8.
constexpr char kControlBegin = '\xff', kControlEnd = '\xfe';

/// In one piece of memory, so that it can be sent to where there is no tokenizer, and is used there as it came: for each token, where its
/// bytes end, as 32-bit numbers; its use, as a byte; and the bytes of all.
class TokenTexts {
 public:
  TokenTexts() = default;
  /// Of `size` tokens, which are to be added.
  explicit TokenTexts(std::size_t size) : size_(size), stored_(kHead * size, '\0') {}
  /// What `stored` gave.
  TokenTexts(std::string stored, std::size_t size) : size_(size), added_(size), stored_(std::move(stored)) {}

  /// Throws Refusal (too-large) where the texts have 4 GB.
  void add(TokenUse use, std::string_view text);

  std::string_view stored() const noexcept { return stored_; }
  std::size_t size() const noexcept { return size_; }  // V
  bool contains(TokenId token) const noexcept { return token >= 0 && static_cast<std::size_t>(token) < size(); }
  TokenUse use(TokenId token) const noexcept {
    return TokenUse(stored_[sizeof(std::uint32_t) * size_ + static_cast<std::size_t>(token)]);
  }
  /// Whether it becomes part of what is written.
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

/// Of a tokenizer. Throws Refusal (too-large) where the texts have 4 GB.
TokenTexts token_texts(const tokenizer::Tokenizer& tokenizer);

}  // namespace heed::grammar
