// A 64-bit checksum of bytes (FNV-1a, over words: http://www.isthe.com/chongo/tech/comp/fnv/): detects damage, but not tampering.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace heed {

class Checksum {
 public:
  void add(std::span<const std::byte> bytes) noexcept {
    for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data(), 8);
      add_word(word);
    }
    for (const std::byte byte : bytes) add_word(static_cast<std::uint64_t>(byte));
  }
  /// Mixes in a word. A product alone propagates changes to higher bits only; the shift also propagates them to lower bits.
  void add_word(std::uint64_t word) noexcept {
    value_ = (value_ ^ word) * 0x100000001b3;
    value_ ^= value_ >> 32;
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace heed
