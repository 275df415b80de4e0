// LEB128 (https://dwarfstd.org/doc/DWARF5.pdf, section 7.6), the encoding of the Unicode tables: seven bits per byte, lowest first;
// the high bit means that more bytes follow.
#pragma once

#include <cstdint>

namespace heed {

/// Reads an unsigned number, and advances `byte` beyond it.
inline std::uint32_t read_leb128(const unsigned char*& byte) noexcept {
  std::uint32_t value = 0;
  int shift = 0;
  do {
    value |= (*byte & 0x7FU) << shift;
    shift += 7;
  } while (*byte++ & 0x80);
  return value;
}

/// Reads a signed number: 0, -1, 1, -2, 2, ... are stored as 0, 1, 2, 3, 4, ...
inline std::int32_t read_zigzag(const unsigned char*& byte) noexcept {
  const std::uint32_t value = read_leb128(byte);
  return static_cast<std::int32_t>(value >> 1 ^ (0 - (value & 1)));
}

}  // namespace heed
