// U+2581, which represents a space in SentencePiece vocabularies, and in GGUF's WordPiece vocabularies.
#pragma once

#include <bitset>
#include <string>
#include <string_view>

namespace heed::tokenizer {

inline constexpr std::string_view kVisibleSpace = "\u2581";

/// The metadata key that determines whether encoding adds a space before a text.
inline constexpr char kAddSpacePrefix[] = "tokenizer.ggml.add_space_prefix";

/// The char as an index.
constexpr unsigned char to_byte(char c) noexcept { return static_cast<unsigned char>(c); }

/// Adds to `bytes` each byte that precedes a space in `token`.
inline void add_bytes_before_spaces(std::bitset<256>& bytes, std::string_view token) {
  for (auto at = token.find(kVisibleSpace, 1); at != token.npos; at = token.find(kVisibleSpace, at + 1))
    if (!token.substr(0, at).ends_with(kVisibleSpace)) bytes.set(to_byte(token[at - 1]));
}

/// Appends `text`, with U+2581 replaced by spaces.
inline void append_with_spaces(std::string& out, std::string_view text) {
  for (std::size_t at = 0; (at = text.find(kVisibleSpace)) != text.npos; text.remove_prefix(at + kVisibleSpace.size())) {
    out += text.substr(0, at);
    out.push_back(' ');
  }
  out += text;
}

}  // namespace heed::tokenizer
