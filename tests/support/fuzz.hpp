// Reproducible values for tests: plain ones, and those at which arithmetic goes wrong.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace heed::test {

class Fuzz {
 public:
  explicit Fuzz(std::uint64_t seed) : bits_(seed) {}

  std::uint64_t bits() { return bits_(); }
  /// An integer in [first, last].
  std::size_t from_to(std::size_t first, std::size_t last) {
    return first + static_cast<std::size_t>(bits_() % (last - first + 1));
  }
  bool flip() { return (bits_() & 1) != 0; }

  /// Evenly spread over [-magnitude, magnitude).
  float real(float magnitude = 1) { return magnitude * (static_cast<float>(bits_() >> 40) * 0x1p-23f - 1.0f); }
  std::vector<float> reals(std::size_t n, float magnitude = 1) {
    std::vector<float> values(n);
    for (float& value : values) value = real(magnitude);
    return values;
  }

  /// Mostly ordinary; sometimes a zero of either sign, a subnormal, a huge number, an infinity, a NaN or any
  /// other bits.
  float hostile() {
    using Limits = std::numeric_limits<float>;
    const float sign = flip() ? 1.0f : -1.0f;
    switch (from_to(0, 15)) {
      case 0: return sign * 0.0f;
      case 1: return sign * Limits::denorm_min();
      case 2: return sign * 0x1p-130f;
      case 3: return sign * Limits::max();
      case 4: return sign * Limits::infinity();
      case 5: return sign * Limits::quiet_NaN();
      case 6: return std::bit_cast<float>(static_cast<std::uint32_t>(bits_()));
      case 7: return sign * 65504.0f;
      default: return real(10);
    }
  }
  std::vector<float> hostiles(std::size_t n) {
    std::vector<float> values(n);
    for (float& value : values) value = hostile();
    return values;
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace heed::test
