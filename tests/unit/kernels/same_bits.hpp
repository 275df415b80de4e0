// Comparing floats by their bits; a NaN equals any other, because payloads and signs of NaN differ by
// machine.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace heed::test {

inline bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (a != a && b != b);
}

/// The first index where the two differ, or the size of `a`.
inline std::size_t first_difference(const std::vector<float>& a, const std::vector<float>& b) {
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && same_bits(a[i], b[i])) ++i;
  return i;
}

}  // namespace heed::test
