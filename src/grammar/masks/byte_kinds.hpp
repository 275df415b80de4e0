// Kinds of bytes. If bytes of some kinds do not change an expression, a branch of the trie with bytes of only these kinds need
// not be walked.
#pragma once

#include <array>
#include <cstdint>

namespace heed::grammar {

/// A set of kinds, one bit each.
using ByteKinds = std::uint16_t;

inline constexpr ByteKinds kLowerCase = 1, kUpperCase = 2, kDigits = 4, kSpace = 8, kPunctuation = 16, kOtherAscii = 32;
/// Characters beyond ASCII, by their first byte: kSpacesBeyond if a space or line end begins with that byte, else kBeyondAscii.
inline constexpr ByteKinds kSpacesBeyond = 64, kBeyondAscii = 128;
/// Properties of a branch: it has bytes that are not UTF-8; it begins inside a character.
inline constexpr ByteKinds kNoCharacters = 256, kBeginsInside = 512;

/// The kind of each byte that can begin a character; 0 for other bytes.
inline constexpr std::array<ByteKinds, 256> kKindOf = [] {
  std::array<ByteKinds, 256> kinds{};
  const auto set = [&](unsigned first, unsigned last, ByteKinds kind) {
    for (unsigned byte = first; byte <= last; ++byte) kinds[byte] = kind;
  };
  set(0, 0x7F, kOtherAscii);
  set('!', '~', kPunctuation);
  set('a', 'z', kLowerCase);
  set('A', 'Z', kUpperCase);
  set('0', '9', kDigits);
  set(' ', ' ', kSpace);
  for (const unsigned byte : {'"', '\\'}) kinds[byte] = kOtherAscii;
  set(0xC0, 0xFF, kBeyondAscii);
  for (const unsigned byte : {0xC2, 0xE1, 0xE2, 0xE3, 0xEF}) kinds[byte] = kSpacesBeyond;
  return kinds;
}();

/// read_character_byte() returns the progress within a UTF-8 character after one more byte: 0 between characters, kNoCharacter if
/// malformed. Unicode Standard, table 3-7.
inline constexpr std::uint8_t kNoCharacter = 0xFF;
constexpr std::uint8_t read_character_byte(std::uint8_t progress, std::uint8_t byte) {
  const auto within = [&](unsigned first, unsigned last, std::uint8_t after) {
    return byte >= first && byte <= last ? after : kNoCharacter;
  };
  switch (progress) {
    case 0:
      if (byte < 0x80) return 0;
      if (byte < 0xE0) return within(0xC2, 0xDF, 1);
      if (byte < 0xF0) return byte == 0xE0 ? 4 : byte == 0xED ? 5 : 2;
      return byte == 0xF0 ? 6 : byte == 0xF4 ? 7 : within(0xF1, 0xF3, 3);
    case 1: return within(0x80, 0xBF, 0);
    case 2: return within(0x80, 0xBF, 1);
    case 3: return within(0x80, 0xBF, 2);
    case 4: return within(0xA0, 0xBF, 1);
    case 5: return within(0x80, 0x9F, 1);
    case 6: return within(0x90, 0xBF, 2);
    case 7: return within(0x80, 0x8F, 2);
    default: return kNoCharacter;
  }
}

}  // namespace heed::grammar
