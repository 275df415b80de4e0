// Copies keys and values in blocks (kv_blocks.hpp) to and from an order that does not depend on the target: for each position the
// codes of its key and of its value, two in a byte if they have four bits, and the scales of both; then the centers.
#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/generic/kv_blocks.hpp"

namespace heed::kernels::generic {

/// Saves or loads. Loading returns false for bytes that saving never writes, or if a scale is not finite; all codes are valid.
/// Centers that begin after the last saved position are saved as zeros, and so are the unused bits of a last byte of codes.
template <class Isa>
[[gnu::noinline, clang::minsize]] bool transfer_blocks(const KvHead& kv, std::size_t index, std::size_t count, std::byte* saved,
                                                       bool saving) {
  bool fine = true;
  const BlockMemory memory(kv, index);
  const auto codes = [&](std::size_t p, std::size_t dim, CodePlace (*place_in)(const BlockMemory&, std::size_t, std::size_t)) {
    const int mask = (1 << memory.bits) - 1;
    for (std::size_t i = 0; i < dim; ++i) {
      const CodePlace place = place_in(memory, p, i);
      std::byte& both = saved[i * memory.bits / 8];
      const auto shift = static_cast<int>(i * memory.bits % 8);
      if (!saving) place.set(static_cast<int>(both) >> shift & mask);
      else if (shift == 0) both = static_cast<std::byte>(place.code());
      else both |= static_cast<std::byte>(place.code() << shift);
    }
    saved += saved_code_bytes(kv.type, dim);
    if (dim * memory.bits % 8 != 0) fine = fine && static_cast<int>(saved[-1]) <= mask;
  };
  const auto scales = [&](std::uint16_t* first, std::size_t n, std::size_t apart, bool used) {
    for (std::size_t i = 0; i < n; ++i, saved += sizeof *first) {
      std::uint16_t scale = used ? first[i * apart] : std::uint16_t{0};
      if (saving) std::memcpy(saved, &scale, sizeof scale);
      else std::memcpy(&scale, saved, sizeof scale);
      fine = fine && (used ? (scale & 0x7f80u) != 0x7f80u : scale == 0);
      if (!saving) first[i * apart] = scale;
    }
  };
  for (std::size_t p = 0; p < count; ++p) {
    codes(p, kv.key_dim, key_place_in<Isa>);
    codes(p, kv.value_dim, value_place_in<Isa>);
    scales(memory.key_scales + p, blocks_of(kv.key_dim, kKeyBlock), kAttentionChunk, true);
    scales(memory.value_scales + p, blocks_of(kv.value_dim, kValueBlock), kAttentionChunk, true);
  }
  for (std::size_t i = 0; i < kCenters; ++i, saved += kv.key_dim) {
    const bool used = center_begin(index, i) < count;
    std::int8_t* const center = memory.centers + i * memory.center_width;
    scales(memory.center_scales + i, 1, 1, used);
    if (saving && used) std::memcpy(saved, center, kv.key_dim);
    if (saving && !used) std::memset(saved, 0, kv.key_dim);
    if (!saving) std::memcpy(center, saved, kv.key_dim);
    fine = fine && (used || std::all_of(saved, saved + kv.key_dim, [](std::byte code) { return code == std::byte{0}; }));
  }
  return fine;
}

}  // namespace heed::kernels::generic
