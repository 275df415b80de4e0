// xoshiro256** 1.0 by Blackman and Vigna (arXiv:1805.01407), seeded through SplitMix64 as they advise
// (https://prng.di.unimi.it): small, fast, and the same numbers everywhere.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace heed::sampling {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) noexcept {
    for (auto& word : state_) {
      std::uint64_t z = seed += 0x9e3779b97f4a7c15;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      word = z ^ (z >> 31);
    }
  }

  /// 64 uniform bits.
  constexpr std::uint64_t next() noexcept {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// A multiple of 2^-53 in [0, 1).
  constexpr double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace heed::sampling
