// A reproducible corpus of damaged files: cut short, with flipped bits, and with counts blown up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace heed::test {

/// Copy number `index` of `file`, damaged in one of four ways. `header`: the part where damage is likeliest
/// to matter.
inline std::vector<std::byte> damaged(std::span<const std::byte> file, std::size_t header, std::size_t index) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(index + 1));
  const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  std::vector<std::byte> bytes(file.begin(), file.end());
  switch (index % 4) {
    case 0:  // cut anywhere
      bytes.resize(below(bytes.size()));
      break;
    case 1:  // one to eight flipped bits in the header
      for (std::size_t flips = 1 + below(8); flips > 0; --flips) bytes[below(header)] ^= static_cast<std::byte>(1u << below(8));
      break;
    case 2:  // many flipped bits anywhere
      for (std::size_t flips = 1 + below(200); flips > 0; --flips)
        bytes[below(bytes.size())] ^= static_cast<std::byte>(1u << below(8));
      break;
    case 3: {  // a number in the header becomes an extreme one
      constexpr std::uint64_t kExtremes[] = {0, 1, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff};
      const std::uint64_t value = kExtremes[below(std::size(kExtremes))];
      const std::size_t size = below(2) == 0 ? 4 : 8;
      std::memcpy(&bytes[below(header - size)], &value, size);
      break;
    }
  }
  return bytes;
}

}  // namespace heed::test
