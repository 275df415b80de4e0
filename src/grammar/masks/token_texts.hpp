// The vocabulary as constraints see it: the bytes of each token, and what it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::grammar {

using tokenizer::TokenId;

/// `text`: its bytes become part of what is written. `end`: ends a generation. `other`: never allowed. `control`: allowed only where a
/// language names it (outline/outline.hpp); its bytes are its text between kControlBegin and kControlEnd.
enum class TokenUse : std::uint8_t { text, end, other, control };

/// Bytes that no text has: they occur nowhere in UTF-8.
constexpr char kControlBegin = '\xff', kControlEnd = '\xfe';

/// A plain value, so that it can be sent to where there is no tokenizer.
struct TokenTexts {
  std::vector<std::uint32_t> ends;  // token i's bytes are those before ends[i], from ends[i - 1] on
  std::vector<TokenUse> uses;
  std::string bytes;

  std::size_t size() const noexcept { return uses.size(); }  // V
  bool contains(TokenId token) const noexcept { return token >= 0 && static_cast<std::size_t>(token) < size(); }
  TokenUse use(TokenId token) const noexcept { return uses[static_cast<std::size_t>(token)]; }
  /// Whether it becomes part of what is written.
  bool is_written(TokenId token) const noexcept { return use(token) == TokenUse::text || use(token) == TokenUse::control; }
  std::string_view text(TokenId token) const noexcept {
    const auto i = static_cast<std::size_t>(token);
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(bytes).substr(begin, ends[i] - begin);
  }
};

/// Of a tokenizer. Throws Refusal (too-large) where the texts have 4 GB.
TokenTexts token_texts(const tokenizer::Tokenizer& tokenizer);

}  // namespace heed::grammar
