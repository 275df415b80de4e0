// A reproducible corpus of damaged files: cut short, with flipped bits, and with counts blown up.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "formats/gguf.hpp"

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

struct DamageOutcomes {
  std::size_t refused = 0, worked = 0;
};

/// Calls `use(copy, chunk)` for damaged copies of a model's file; failed checks print `name`; `chunk`: the number of bytes to write
/// at a time. Each copy is an Error with a reason, or works; counts both in `outcomes`.
template <class Use>
void use_damaged(std::span<const std::byte> file, const std::string& name, std::size_t copies, DamageOutcomes& outcomes, Use use) {
  formats::GgufHeaderReader reader;
  REQUIRE(reader.write(file));
  const auto header = static_cast<std::size_t>(reader.header_bytes());
  for (std::size_t index = 0; index < copies; ++index) {
    INFO("copy " << index << " of " << name);
    try {
      use(damaged(file, header, index), index % 3 == 0 ? std::size_t{333} : std::size_t{65536});
      ++outcomes.worked;
    } catch (const Error& error) {
      CHECK_FALSE(error.message().empty());
      ++outcomes.refused;
    }
  }
}

}  // namespace heed::test
