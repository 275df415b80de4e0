// The layout of keys and values in types with blocks (kernels/kv_layout.hpp), and how they are written and read.
//
// Codes lie in tiles of some rows, along which products sum, and kColumns<Isa> columns, one per lane: rows are dimensions and columns
// positions for keys, and the reverse for values.
//   keys    [position / kColumns][block][tile of up to 32 rows]
//   values  [block][position / 16][column / kColumns][tile of 16 rows]
//   scales of the keys, of the values  [block][position], bf16
//   centers  [kCenters][center_codes(key_dim)], 8 bits; their scales, bf16
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/generic/hadamard.hpp"
#include "kernels/generic/kv_elements.hpp"
#include "tensor/half.hpp"

namespace heed::kernels::generic {

/// Rounds to nearest, ties to even; a magnitude that is too large or no number becomes the largest one.
static inline std::uint16_t f32_to_bf16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value), sign = bits >> 16 & 0x8000u;
  const std::uint32_t rounded = ((bits & 0x7fffffffu) + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return static_cast<std::uint16_t>(sign | std::min<std::uint32_t>(rounded, 0x7f7fu));
}

// What does not depend on the instruction set is always inlined, as in half.hpp. What attention does not run is kept small.

/// The memory of one head in a chunk.
struct BlockMemory {
  std::size_t bits, key_width, value_width, center_width;  // of a code; codes of a key, a value and a center
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

/// The numbers of codes of 4 bits, plus 64, for products of unsigned bytes below 128.
inline constexpr std::int8_t kNibbleNumbers[16] = {1, 14, 24, 32, 39, 46, 53, 59, 65, 71, 77, 84, 91, 99, 108, 120};

/// From each number to the next.
struct NibbleSteps {
  float v[15];

  template <class F>
  static constexpr NibbleSteps each(F f) {
    NibbleSteps steps{};
    for (std::size_t i = 0; i < 15; ++i) steps.v[i] = f(kNibbleNumbers[i], kNibbleNumbers[i + 1]);
    return steps;
  }
};
inline constexpr NibbleSteps kNibbleMiddles = NibbleSteps::each([](int a, int b) { return static_cast<float>(a + b - 128) / 2; });
inline constexpr NibbleSteps kNibbleGaps = NibbleSteps::each([](int a, int b) { return static_cast<float>(b - a); });
inline constexpr NibbleSteps kNibbleOnes = NibbleSteps::each([](int, int) { return 1.0f; });

inline constexpr int kNibbleOffset = 64;

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

/// The place of a row in a tile of `rows`, for its first column. Codes of 8 bits have two rows in turn per column. Those of 4 bits have
/// four: of the first half of the rows in the low halves of the bytes, of the second in the high ones.
[[gnu::always_inline]] inline CodePlace place_of_row(std::byte* tile, std::size_t bits, std::size_t rows, std::size_t row,
                                                     std::size_t columns) {
  if (bits == 8) return {tile + row / 2 * columns * 2 + row % 2, bits, 0};
  const std::size_t half = rows / 2, within = row % half;
  return {tile + within / 4 * columns * 4 + within % 4, bits, row < half ? std::size_t{0} : std::size_t{4}};
}
/// Bytes from one column to the next.
[[gnu::always_inline]] constexpr std::size_t column_bytes(std::size_t bits) { return bits == 8 ? 2 : 4; }

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
  CodePlace place = place_of_row(memory.values + codes * memory.bits / 8, memory.bits, kWide, within % kWide, C);
  place.byte += i % C * column_bytes(memory.bits);
  return place;
}

/// Element i of a key, less its center, or of a value; still rotated.
template <class Isa>
float key_at(const BlockMemory& memory, std::size_t within, std::size_t i) {
  return bf16_to_f32(memory.key_scales[i / kKeyBlock * kAttentionChunk + within]) * key_place_in<Isa>(memory, within, i).number();
}
template <class Isa>
float value_at(const BlockMemory& memory, std::size_t within, std::size_t i) {
  return bf16_to_f32(memory.value_scales[i / kValueBlock * kAttentionChunk + within]) *
         value_place_in<Isa>(memory, within, i).number();
}

/// Element i of the center of the positions from `position` on: the mean of one half of the keys before or of the other, whichever is
/// nearer to zero, and zero if their signs differ. What turns quickly with the position, and so has no lasting mean, gets none. If
/// there are few keys, the mean of all.
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

/// Codes of x[i] times `steps`, as in quantize_row(), for whole runs of kWide.
template <class Isa>
[[gnu::noinline]] void quantize_runs(const float* x, std::size_t n, float top, float steps, std::int16_t* codes) {
#pragma clang loop unroll(disable)
  for (std::size_t i = 0; i < n; i += Isa::kLanes) {
    const auto scaled = Isa::mul(Isa::load(x + i), Isa::splat(steps));
    const auto bounded = Isa::max(Isa::splat(-top), Isa::min(Isa::splat(top), scaled));
    Isa::store_low_halves(codes + i, Isa::bits(Isa::add(bounded, Isa::splat(kRoundingShift))));
  }
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
    std::int16_t codes[kWide];
    quantize_runs<Isa>(elements, 1, 127.0f, steps, codes);
    memory.centers[which * memory.center_width + i] = static_cast<std::int8_t>(codes[0]);
  }
}

// These write the codes of a block, in whole runs of kWide, and return its scale. Zeros follow the n numbers.

/// Codes of 8 bits: the numbers themselves.
template <class Isa>
std::uint16_t encode_bytes(const float* x, std::size_t n, std::int16_t* codes) {
  const std::uint16_t scale = f32_to_bf16(magnitude(x, n) / 127.0f);
  quantize_runs<Isa>(x, n, 127.0f, steps_per_unit(1.0f, bf16_to_f32(scale)), codes);
  return scale;
}

/// `first`, plus a step for each middle that is below a value.
template <class Isa>
[[gnu::noinline]] Wide<Isa> nearest(const Wide<Isa>& values, float first, const NibbleSteps& steps) {
  auto sums = Wide<Isa>::splat(first);
#pragma clang loop unroll(disable)
  for (std::size_t i = 0; i < 15; ++i) {
    const auto middle = Isa::splat(kNibbleMiddles.v[i]), step = Isa::splat(steps.v[i]);
    sums = map<Isa>([&](auto sum, auto value) { return Isa::add(sum, Isa::where_less(middle, value, step)); }, sums, values);
  }
  return sums;
}

/// Codes of 4 bits. The scale first maps the largest magnitude to the largest number, whose sign it takes. Then it is chosen for the
/// numbers that this gives, by least squares, twice.
template <class Isa>
[[clang::minsize]] std::uint16_t encode_nibbles(const float* x, std::size_t n, std::int16_t* codes) {
  constexpr float kFirst = kNibbleNumbers[0] - kNibbleOffset;
  const auto steps_of = [](float scale) {
    const float steps = steps_per_unit(1.0f, std::fabs(scale));
    return scale < 0 ? -steps : steps;
  };
  const float top = magnitude(x, n);
  float scale = (std::find(x, x + n, top) == x + n ? -top : top) / kFirst;
  for (int pass = 0; pass < 2; ++pass) {
    const auto steps = Wide<Isa>::splat(steps_of(scale));
    auto products = Wide<Isa>::splat(0.0f), squares = Wide<Isa>::splat(0.0f);
#pragma clang loop unroll(disable)
    for (std::size_t i = 0; i < n; i += kWide) {
      const auto values = Wide<Isa>::load(x + i), numbers = nearest<Isa>(values * steps, kFirst, kNibbleGaps);
      products = products + values * numbers;
      squares = squares + numbers * numbers;
    }
    const float better = sum(products) / sum(squares);
    if (magnitude(&better, 1) > 0) scale = better;  // not for blocks of zeros, or of values that are not finite
  }
  const std::uint16_t rounded = f32_to_bf16(scale);
  const auto steps = Wide<Isa>::splat(steps_of(bf16_to_f32(rounded)));
#pragma clang loop unroll(disable)
  for (std::size_t i = 0; i < n; i += kWide) {
    const auto indices = nearest<Isa>(Wide<Isa>::load(x + i) * steps, kRoundingShift, kNibbleOnes);
    for (std::size_t part = 0; part < Wide<Isa>::kParts; ++part)
      Isa::store_low_halves(codes + i + part * Isa::kLanes, Isa::bits(indices.part[part]));
  }
  return rounded;
}

template <class Isa>
[[gnu::noinline]] std::uint16_t encode(std::size_t bits, const float* x, std::size_t n, std::int16_t* codes) {
  return bits == 8 ? encode_bytes<Isa>(x, n, codes) : encode_nibbles<Isa>(x, n, codes);
}

template <class Isa>
[[clang::minsize]] void store_blocks(const KvHead& kv, std::size_t position, const float* key, const float* value) {
  constexpr std::size_t C = kColumns<Isa>;
  const BlockMemory memory(kv, position / kAttentionChunk);
  const std::size_t within = position % kAttentionChunk, bits = memory.bits;
  if (begins_center(position)) write_center<Isa>(kv, position);
  const std::size_t center = center_of(position);
  std::int16_t codes[kValueBlock];
  each_rotated_part(key, kv.key_dim, kv.key_rotation(), [&](std::size_t first, float* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] -= memory.center(center, first + i);
    for (std::size_t i = 0; i < count; i += kKeyBlock) {
      const std::size_t block = first + i, rows = std::min(kKeyBlock, memory.key_width - block), n = std::min(kKeyBlock, count - i);
      memory.key_scales[block / kKeyBlock * kAttentionChunk + within] = encode<Isa>(bits, x + i, n, codes);
      std::byte* const tile = key_place_in<Isa>(memory, within, block).byte;
#pragma clang loop unroll(disable)
      for (std::size_t k = 0; k < n; ++k) place_of_row(tile, bits, rows, k, C).set(codes[k]);
    }
  });
  each_rotated_part(value, kv.value_dim, kv.value_rotation(), [&](std::size_t first, float* x, std::size_t count) {
    for (std::size_t i = 0; i < count; i += kValueBlock) {
      const std::size_t n = std::min(kValueBlock, count - i);
      memory.value_scales[(first + i) / kValueBlock * kAttentionChunk + within] = encode<Isa>(bits, x + i, n, codes);
      CodePlace place = value_place_in<Isa>(memory, within, first + i);
      std::byte* const tile = place.byte;
#pragma clang loop unroll(disable)
      for (std::size_t k = 0; k < n; ++k) {
        place.byte = tile + k / C * C * kWide * bits / 8 + k % C * column_bytes(bits);
        place.set(codes[k]);
      }
    }
  });
}

template <class Isa>
void store_kv(const KvHead& kv, std::size_t position, const float* key, const float* value) noexcept {
  if (has_blocks(kv.type)) store_blocks<Isa>(kv, position, key, value);
  else store_elements<Isa>(kv, position, key, value);
}

/// Back to what was stored, but for rounding: with the center, and not rotated.
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
