// Reads stored blocks: field by field, and codes eight at a time, as the bytes of a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heed {

/// A cursor over the fields of a block.
class Fields {
 public:
  explicit Fields(const std::byte* at) : at_(reinterpret_cast<const std::uint8_t*>(at)) {}

  const std::uint8_t* bytes(std::size_t count) noexcept {
    const std::uint8_t* field = at_;
    at_ += count;
    return field;
  }
  std::uint16_t word() noexcept {
    const std::uint8_t* field = bytes(2);
    return static_cast<std::uint16_t>(field[0] | field[1] << 8);
  }

 private:
  const std::uint8_t* at_;
};

inline constexpr std::uint64_t kEach = 0x0101010101010101;

inline std::uint64_t load8(const std::uint8_t* from) noexcept {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
inline void store8(std::uint8_t* to, std::uint64_t word) noexcept { std::memcpy(to, &word, sizeof word); }

/// Spreads eight bits to eight bytes: bit n becomes byte n, little-endian.
constexpr std::uint64_t bytes_of_bits(std::uint8_t bits) noexcept {
  const std::uint64_t alone = bits * kEach & 0x8040201008040201;
  return (alone + kEach * 0x7f) >> 7 & kEach;
}

}  // namespace heed
