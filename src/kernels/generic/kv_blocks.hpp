// The layout of keys and values in types with blocks (kernels/kv_layout.hpp), and how they are written and read.
//
// Codes lie in tiles of some rows, along which products sum, and kColumns<Isa> columns, one per lane. For keys, rows are dimensions
// and columns positions; for values, it is the reverse.
//   keys    [position / kColumns][block][tile of up to 32 rows]
//   values  [block][position / 16][column / kColumns][tile of 16 rows]; for codes of 4 bits, in the order of row_of_position()
//   scales of the keys, of the values  [block][position], bf16
//   centers  [kCenters][center_codes(key_dim)], 8 bits; their scales, bf16
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/generic/hadamard.hpp"
#include "kernels/generic/kv_codes.hpp"
#include "tensor/half.hpp"

namespace heed::kernels::generic {

// Functions that do not depend on the instruction set are always inlined, as in half.hpp. Functions that attention does not call
// are optimized for size.

/// The memory of one head in a chunk.
struct BlockMemory {
  std::size_t bits, key_width, value_width, center_width;  // bits of a code; then codes per key, value and center
  std::byte *keys, *values;
  std::uint16_t *key_scales, *value_scales;
  std::int8_t* centers;
  std::uint16_t* center_scales;

  [[gnu::always_inline]] BlockMemory(const KvHead& kv, std::size_t chunk)
      : bits(code_bits(kv.type)),
        key_width(key_codes(kv.key_dim)),
        value_width(kernels::value_width(kv.value_dim)),
        center_width(center_codes(kv.key_dim)),
        keys(kv.chunk(chunk)),
        values(keys + kAttentionChunk * key_width * bits / 8),
        key_scales(reinterpret_cast<std::uint16_t*>(values + kAttentionChunk * value_width * bits / 8)),
        value_scales(key_scales + kAttentionChunk * blocks_of(kv.key_dim, kKeyBlock)),
        centers(reinterpret_cast<std::int8_t*>(value_scales + kAttentionChunk * blocks_of(kv.value_dim, kValueBlock))),
        center_scales(reinterpret_cast<std::uint16_t*>(centers + kCenters * center_width)) {}

  /// Element i of a center.
  [[gnu::always_inline]] float center(std::size_t which, std::size_t i) const {
    if (which == kCenters) return 0.0f;
    return static_cast<float>(centers[which * center_width + i]) * bf16_to_f32(center_scales[which]);
  }
};

/// Where a code is: a byte, or one half of it.
struct CodePlace {
  std::byte* byte;
  std::size_t bits, shift;

  [[gnu::always_inline]] int code() const {
    return bits == 8 ? static_cast<std::int8_t>(*byte) : static_cast<int>(*byte) >> shift & 15;
  }
  [[gnu::always_inline]] void set(int code) const {
    if (bits == 8) *byte = static_cast<std::byte>(code);
    else *byte = (*byte & (shift == 0 ? std::byte{0xf0} : std::byte{0x0f})) | static_cast<std::byte>(code << shift);
  }
  [[gnu::always_inline]] float number() const {
    return static_cast<float>(bits == 8 ? code() : kNibbleNumbers[code()] - kNibbleOffset);
  }
};

/// The place of a row's code in the first column of a tile of `rows` rows. Codes of 8 bits: each column in turn has bytes for two
/// rows. Codes of 4 bits: each has bytes for four rows; the first half of the rows is in low nibbles, the second in high ones.
[[gnu::always_inline]] inline CodePlace place_of_row(std::byte* tile, std::size_t bits, std::size_t rows, std::size_t row,
                                                     std::size_t columns) {
  if (bits == 8) return {tile + row / 2 * columns * 2 + row % 2, bits, 0};
  const std::size_t half = rows / 2, within = row % half;
  return {tile + within / 4 * columns * 4 + within % 4, bits, row < half ? std::size_t{0} : std::size_t{4}};
}
/// Bytes from one column to the next.
[[gnu::always_inline]] constexpr std::size_t column_bytes(std::size_t bits) { return bits == 8 ? 2 : 4; }

/// The row that a position of a run has in a tile of 4-bit codes of values: each group of four rows has every fourth position, so
/// that weights are packed without moves between lanes.
constexpr std::size_t row_of_position(std::size_t position) { return position % 4 * 4 + position / 4; }

/// The place of element i of a key.
template <class Isa>
[[gnu::noinline]] CodePlace key_place_in(const BlockMemory& memory, std::size_t within, std::size_t i) {
  constexpr std::size_t C = kColumns<Isa>;
  const std::size_t first = i / kKeyBlock * kKeyBlock;
  std::byte* const tile = memory.keys + (within / C * memory.key_width + first) * C * memory.bits / 8;
  CodePlace place = place_of_row(tile, memory.bits, std::min(kKeyBlock, memory.key_width - first), i - first, C);
  place.byte += within % C * column_bytes(memory.bits);
  return place;
}
/// The place of element i of a value.
template <class Isa>
[[gnu::noinline]] CodePlace value_place_in(const BlockMemory& memory, std::size_t within, std::size_t i) {
  constexpr std::size_t C = kColumns<Isa>;
  const std::size_t first = i / kValueBlock * kValueBlock, width = std::min(kValueBlock, memory.value_width - first);
  const std::size_t codes = first * kAttentionChunk + within / kWide * width * kWide + (i - first) / C * C * kWide;
  const std::size_t row = memory.bits == 8 ? within % kWide : row_of_position(within % kWide);
  CodePlace place = place_of_row(memory.values + codes * memory.bits / 8, memory.bits, kWide, row, C);
  place.byte += i % C * column_bytes(memory.bits);
  return place;
}

/// Element i of a key, without its center, or of a value. Both are still rotated.
template <class Isa>
float key_at(const BlockMemory& memory, std::size_t within, std::size_t i) {
  return bf16_to_f32(memory.key_scales[i / kKeyBlock * kAttentionChunk + within]) * key_place_in<Isa>(memory, within, i).number();
}
template <class Isa>
float value_at(const BlockMemory& memory, std::size_t within, std::size_t i) {
  return bf16_to_f32(memory.value_scales[i / kValueBlock * kAttentionChunk + within]) *
         value_place_in<Isa>(memory, within, i).number();
}

/// Element i of the center that begins at `position`. Takes the mean of the earlier half of the last keys before it, and the mean
/// of the later half: the center is the mean nearer to zero, or zero if their signs differ, so that elements that change quickly
/// with the position (RoPE) have none. If there are few keys, the center is the mean of all.
template <class Isa>
[[gnu::noinline, clang::minsize]] float center_before(const KvHead& kv, std::size_t position, std::size_t i) {
  constexpr std::size_t kFew = 15;
  const std::size_t first = std::max<std::size_t>(1, position - std::min(position, kCenterKeys)), seen = position - first;
  const std::size_t half = seen / 2;
  float sums[2] = {};
  for (std::size_t p = first; p < position; ++p) {
    const BlockMemory memory(kv, p / kAttentionChunk);
    const float key = key_at<Isa>(memory, p % kAttentionChunk, i) + memory.center(center_of(p), i);
    sums[p - first < half ? 0 : 1] += key;
  }
  if (seen < kFew) return (sums[0] + sums[1]) / static_cast<float>(seen);
  const float earlier = sums[0] / static_cast<float>(half), later = sums[1] / static_cast<float>(seen - half);
  if ((earlier < 0) != (later < 0)) return 0.0f;
  return std::fabs(earlier) < std::fabs(later) ? earlier : later;
}

template <class Isa>
[[clang::minsize]] void write_center(const KvHead& kv, std::size_t position) {
  const BlockMemory memory(kv, position / kAttentionChunk);
  const std::size_t which = center_of(position);
  float top = 0;
  for (std::size_t i = 0; i < kv.key_dim; ++i) {
    const float element = center_before<Isa>(kv, position, i);
    top = std::max(top, magnitude(&element, 1));
  }
  memory.center_scales[which] = f32_to_bf16(top / 127.0f);
  const float steps = steps_per_unit(1.0f, bf16_to_f32(memory.center_scales[which]));
  for (std::size_t i = 0; i < kv.key_dim; ++i) {
    const float elements[kWide] = {center_before<Isa>(kv, position, i)};
    std::int8_t codes[kWide];
    quantize_runs<Isa>(elements, 1, 127.0f, steps, codes);
    memory.centers[which * memory.center_width + i] = codes[0];
  }
}

/// Writes a column of a tile: the codes of a block of a key.
template <class Isa>
[[gnu::noinline]] void put_rows(std::byte* to, std::size_t bits, std::size_t rows, const std::int8_t* codes) {
  constexpr std::size_t C = kColumns<Isa>;
  if (bits == 8) {
#pragma clang loop unroll(disable) vectorize(disable)
    for (std::size_t row = 0; row < rows; row += 2, to += 2 * C) std::memcpy(to, codes + row, 2);
    return;
  }
#pragma clang loop unroll(disable) vectorize(disable)
  for (std::size_t row = 0; row < rows / 2; row += 4, to += 4 * C) {
    std::uint32_t low, high;
    std::memcpy(&low, codes + row, sizeof low);
    std::memcpy(&high, codes + rows / 2 + row, sizeof high);
    low |= high << 4;
    std::memcpy(to, &low, sizeof low);
  }
}
/// Writes a row of adjacent tiles: the codes of a block of a value.
template <class Isa>
[[gnu::noinline]] void put_columns(const CodePlace& first, const std::int8_t* codes, std::size_t n) {
  constexpr std::size_t C = kColumns<Isa>;
  const std::byte kept = first.bits == 8 ? std::byte{0} : std::byte{0xf0} >> first.shift;
  const std::size_t column = column_bytes(first.bits), next = C * (kWide * first.bits / 8 - column);
  std::byte* to = first.byte;
#pragma clang loop unroll(disable)
  for (std::size_t i = 0; i < n; to += next)
#pragma clang loop unroll(disable) vectorize(disable)
    for (const std::size_t end = std::min(n, i + C); i < end; ++i, to += column)
      *to = (*to & kept) | static_cast<std::byte>(codes[i]) << first.shift;
}

template <class Isa>
[[clang::minsize]] void store_blocks(const KvHead& kv, std::size_t position, const float* key, const float* value) {
  const BlockMemory memory(kv, position / kAttentionChunk);
  const std::size_t within = position % kAttentionChunk, bits = memory.bits;
  if (begins_center(position)) write_center<Isa>(kv, position);
  const std::size_t center = center_of(position);
  std::int8_t codes[kValueBlock];
  each_rotated_part(key, kv.key_dim, kv.key_rotation(), [&](std::size_t first, float* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] -= memory.center(center, first + i);
    for (std::size_t i = 0; i < count; i += kKeyBlock) {
      const std::size_t block = first + i, rows = std::min(kKeyBlock, memory.key_width - block), n = std::min(kKeyBlock, count - i);
      memory.key_scales[block / kKeyBlock * kAttentionChunk + within] = encode<Isa>(bits, x + i, n, codes);
      put_rows<Isa>(key_place_in<Isa>(memory, within, block).byte, bits, rows, codes);
    }
  });
  each_rotated_part(value, kv.value_dim, kv.value_rotation(), [&](std::size_t first, float* x, std::size_t count) {
    for (std::size_t i = 0; i < count; i += kValueBlock) {
      const std::size_t n = std::min(kValueBlock, count - i);
      memory.value_scales[(first + i) / kValueBlock * kAttentionChunk + within] = encode<Isa>(bits, x + i, n, codes);
      put_columns<Isa>(value_place_in<Isa>(memory, within, first + i), codes, n);
    }
  });
}

template <class Isa>
void store_kv(const KvHead& kv, std::size_t position, const float* key, const float* value) noexcept {
  if (has_blocks(kv.type)) store_blocks<Isa>(kv, position, key, value);
  else store_elements<Isa>(kv, position, key, value);
}

/// Restores a stored key or value, except for rounding: adds the center, and rotates back.
template <class Isa>
[[clang::minsize]] void read_kv(const KvHead& kv, std::size_t position, float* key, float* value) noexcept {
  const BlockMemory memory(kv, position / kAttentionChunk);
  const std::size_t within = position % kAttentionChunk;
  for (std::size_t i = 0; key && i < kv.key_dim; ++i)
    key[i] = key_at<Isa>(memory, within, i) + memory.center(center_of(position), i);
  for (std::size_t i = 0; value && i < kv.value_dim; ++i) value[i] = value_at<Isa>(memory, within, i);
  if (key) rotate_back(key, kv.key_dim, kv.key_rotation());
  if (value) rotate_back(value, kv.value_dim, kv.value_rotation());
}

}  // namespace heed::kernels::generic
