// CRC-32 as in zlib (RFC 1952, section 8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heed::test {

inline std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0) {
  crc = ~crc;
  for (const std::byte b : bytes) {
    crc ^= static_cast<std::uint32_t>(b);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

}  // namespace heed::test
