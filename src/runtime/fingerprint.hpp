// A fingerprint of a model file: a hash of its beginning, which has the header, and of a sample of the rest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/checksum.hpp"

namespace heed::runtime {

class Fingerprint {
 public:
  /// Adds the next bytes of the file, which begin at `offset`. How the file is split into calls does not matter.
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
