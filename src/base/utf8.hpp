// UTF-8 (RFC 3629; Unicode Standard, chapter 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heed::utf8 {

inline constexpr char32_t kReplacementCharacter = U'\uFFFD';

enum class Surrogates : std::uint8_t {
  refused,
  accepted,  // U+D800 to U+DFFF in three bytes each: some programs write them, and byte-level tokenizers keep them
};

enum class Sequence : std::uint8_t {
  whole,
  invalid,
  unfinished,  // valid so far, but truncated
};

struct Decoded {
  char32_t code_point = kReplacementCharacter;  // valid only if the sequence is complete
  std::uint8_t length = 1;                      // in bytes; if incomplete, of the longest valid prefix, at least 1
  Sequence sequence = Sequence::invalid;
};

/// The first code point of `bytes`, which must not be empty.
Decoded decode(std::string_view bytes, Surrogates surrogates = Surrogates::refused) noexcept;

/// The length in bytes of a sequence with this lead byte; 1 for a byte that is not a lead byte.
constexpr std::size_t announced_length(char lead) noexcept {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// Appends a code point up to U+10FFFF.
void append(std::string& out, char32_t code_point);

}  // namespace heed::utf8
