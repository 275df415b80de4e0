// Kinds of bytes. Where an expression stays the same behind all bytes of some kinds, a branch of a vocabulary that has no others need
// not be walked.
#pragma once

#include <array>
#include <cstdint>

namespace heed::grammar {

/// A set of kinds: bits.
using ByteKinds = std::uint16_t;

inline constexpr ByteKinds kLowerCase = 1, kUpperCase = 2, kDigits = 4, kSpace = 8, kPunctuation = 16, kOtherAscii = 32;
/// Characters beyond ASCII, which are taken as a whole: those that begin as spaces and line ends do, and all others.
inline constexpr ByteKinds kSpacesBeyond = 64, kBeyondAscii = 128;
/// Of a branch: it has what is no part of UTF-8, or begins inside a character.
inline constexpr ByteKinds kNoCharacters = 256, kBeginsInside = 512;

/// The kind of each byte that begins a character, or none: 0.
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

/// How far a character has been read: 0 before one and behind it. The well-formed sequences of the Unicode Standard, table 3-7.
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
