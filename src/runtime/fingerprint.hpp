// Tells model files apart: by all bytes of their beginning, where the header is, and some of the rest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/checksum.hpp"

namespace heed::runtime {

class Fingerprint {
 public:
  /// The bytes of the file from `offset` on, in order, cut anyhow.
  void add(std::uint64_t offset, std::span<const std::byte> bytes) noexcept {
    for (std::size_t i = 0; i < bytes.size();) {
      const std::uint64_t at = offset + i, within = at % kStride;
      if (at >= kBeginning && within >= kSample) {
        i += static_cast<std::size_t>(std::min<std::uint64_t>(kStride - within, bytes.size() - i));
        continue;
      }
      checksum_.add_word(static_cast<std::uint64_t>(bytes[i++]));
    }
  }
  std::uint64_t value() const noexcept { return checksum_.value(); }

 private:
  static constexpr std::uint64_t kBeginning = std::uint64_t{4} << 20, kStride = 4096, kSample = 16;

  Checksum checksum_;
};

}  // namespace heed::runtime
