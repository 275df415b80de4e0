// The printable characters that represent bytes in byte-level vocabularies: GPT-2's bytes_to_unicode
// (https://github.com/openai/gpt-2/blob/master/src/encoder.py).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.hpp"

namespace heed::tokenizer {

/// Printable Latin-1 characters represent their own byte; the other bytes, in order, are U+0100 onwards.
inline constexpr auto kCharacterOfByte = [] {
  std::array<char16_t, 256> characters{};
  char16_t next = 0x100;
  for (char16_t byte = 0; byte < 256; ++byte) {
    const bool printable = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
    characters[byte] = printable ? byte : next++;
  }
  return characters;
}();

inline constexpr auto kByteOfCharacter = [] {
  std::array<std::int16_t, 0x144> bytes{};
  bytes.fill(-1);
  for (std::int16_t byte = 0; byte < 256; ++byte) bytes[kCharacterOfByte[static_cast<std::size_t>(byte)]] = byte;
  return bytes;
}();

inline void append_as_characters(std::string& out, std::string_view bytes) {
  for (char byte : bytes) utf8::append(out, kCharacterOfByte[static_cast<unsigned char>(byte)]);
}

/// Appends the bytes that characters represent. Copies characters that do not represent a byte.
inline void append_as_bytes(std::string& out, std::string_view characters) {
  while (!characters.empty()) {
    const auto decoded = utf8::decode(characters);
    const bool known = decoded.sequence == utf8::Sequence::whole && decoded.code_point < kByteOfCharacter.size() &&
                       kByteOfCharacter[decoded.code_point] >= 0;
    if (known) {
      out.push_back(static_cast<char>(kByteOfCharacter[decoded.code_point]));
    } else {
      out.append(characters.substr(0, decoded.length));
    }
    characters.remove_prefix(decoded.length);
  }
}

}  // namespace heed::tokenizer
