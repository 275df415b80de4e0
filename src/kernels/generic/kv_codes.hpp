// The codes of a block of keys or values (kv_blocks.hpp): the values that they stand for, and how they are chosen.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/generic/kv_elements.hpp"

namespace heed::kernels::generic {

/// Rounds to nearest, ties to even. A magnitude that is too large, and NaN, become the largest finite magnitude.
static inline std::uint16_t f32_to_bf16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value), sign = bits >> 16 & 0x8000u;
  const std::uint32_t rounded = ((bits & 0x7fffffffu) + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return static_cast<std::uint16_t>(sign | std::min<std::uint32_t>(rounded, 0x7f7fu));
}

/// The values of 4-bit codes, plus 64, because products take unsigned bytes below 128.
inline constexpr std::int8_t kNibbleNumbers[16] = {1, 14, 24, 32, 39, 46, 53, 59, 65, 71, 77, 84, 91, 99, 108, 120};

/// Twice the midpoints between the values of adjacent codes, without the 64; the last entry is above all values.
struct NibbleMiddles {
  std::int8_t doubled[16];
};
inline constexpr NibbleMiddles kNibbleMiddles = [] {
  NibbleMiddles middles{};
  for (std::size_t i = 0; i < 15; ++i)
    middles.doubled[i] = static_cast<std::int8_t>(kNibbleNumbers[i] + kNibbleNumbers[i + 1] - 128);
  middles.doubled[15] = 127;
  return middles;
}();

inline constexpr int kNibbleOffset = 64;

/// Writes x[i] times `steps` as codes of 8 or 16 bits, rounded as in quantize_row(), in whole runs of kWide.
template <class Isa, class Code>
[[gnu::noinline]] void quantize_runs(const float* x, std::size_t n, float top, float steps, Code* codes) {
#pragma clang loop unroll(disable)
  for (std::size_t i = 0; i < n; i += Isa::kLanes) {
    const auto scaled = Isa::mul(Isa::load(x + i), Isa::splat(steps));
    const auto bounded = Isa::max(Isa::splat(-top), Isa::min(Isa::splat(top), scaled));
    const auto rounded = Isa::bits(Isa::add(bounded, Isa::splat(kRoundingShift)));
    if constexpr (sizeof(Code) == 1) Isa::store_low_bytes(codes + i, rounded);
    else Isa::store_low_halves(codes + i, rounded);
  }
}

// encode_bytes() and encode_nibbles() write the codes of a block, in whole runs of kWide, and return its scale. x has n values,
// then zeros.

/// Codes of 8 bits: the scaled and rounded values themselves.
template <class Isa>
[[clang::minsize]] std::uint16_t encode_bytes(const float* x, std::size_t n, std::int8_t* codes) {
  const std::uint16_t scale = f32_to_bf16(magnitude(x, n) / 127.0f);
  quantize_runs<Isa>(x, n, 127.0f, steps_per_unit(1.0f, bf16_to_f32(scale)), codes);
  return scale;
}

/// kWide one-byte integers: integer 4 * i + lane is byte i of a lane.
using WideBytes = Vector<std::int8_t>;

/// Twice the values, rounded up to integers and clamped to bytes: rounding up does not change which midpoints they are above.
template <class Isa>
WideBytes doubled(const Wide<Isa>& values) {
  const auto least = Isa::splat(-128.0f), most = Isa::splat(127.0f);
  float numbers[kWide];
  map<Isa>([&](auto value) { return Isa::min(most, Isa::max(least, Isa::add(value, value))); }, values).store(numbers);
  Vector<std::uint32_t> lanes = {};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto integers = __builtin_elementwise_ceil(load_vector(numbers + i * 4)) + kRoundingShift;
    lanes |= ((Vector<std::uint32_t>)integers & 255) << 8 * i;
  }
  return (WideBytes)lanes;
}

/// table[index] for each index; the table has 16 elements.
template <class Isa>
WideBytes look_up(const std::int8_t* table, WideBytes indices) {
  std::byte bytes[sizeof(typename Isa::Bytes)] = {};
  std::memcpy(bytes, &indices, sizeof indices);
  const auto found = Isa::look_up(Isa::load_table(table), Isa::load_bytes(bytes));
  std::memcpy(&indices, &found, sizeof indices);
  return indices;
}

/// The codes whose values are nearest to `values`, by a binary search.
template <class Isa>
[[gnu::noinline]] WideBytes nearest(const Wide<Isa>& values) {
  const WideBytes twice = doubled<Isa>(values);
  WideBytes codes = {};
  for (const std::int8_t step : {8, 4, 2, 1}) {
    const auto middles = look_up<Isa>(kNibbleMiddles.doubled, codes + static_cast<std::int8_t>(step - 1));
    codes += (twice > middles) & step;
  }
  return codes;
}

template <class Isa>
Wide<Isa> numbers_of(WideBytes codes) {
  const WideBytes bytes = look_up<Isa>(kNibbleNumbers, codes) - static_cast<std::int8_t>(kNibbleOffset);
  float numbers[kWide];
  for (int i = 0; i < 4; ++i) {
    const auto lanes = (Vector<std::int32_t>)bytes << (24 - 8 * i) >> 24;
    store_vector<float>(numbers + i * 4, __builtin_convertvector(lanes, Vector<float>));
  }
  return Wide<Isa>::load(numbers);
}

/// Whether one of n values, which zeros follow, equals `number`.
static inline bool has(const float* x, std::size_t n, float number) {
  Vector<std::int32_t> equal = {};
#pragma clang loop unroll(disable)
  for (std::size_t i = 0; i < n; i += 4) equal |= load_vector(x + i) == number;
  return (equal[0] | equal[1] | equal[2] | equal[3]) != 0;
}

/// Codes of 4 bits. The first scale maps the element of largest magnitude to code 0, whose value has the largest magnitude. Then,
/// twice, chooses codes with the scale, and fits the scale to their values by least squares.
template <class Isa>
[[clang::minsize]] std::uint16_t encode_nibbles(const float* x, std::size_t n, std::int8_t* codes) {
  constexpr float kFirst = kNibbleNumbers[0] - kNibbleOffset;
  const auto steps_of = [](float scale) {
    const float steps = steps_per_unit(1.0f, std::fabs(scale));
    return scale < 0 ? -steps : steps;
  };
  const float top = magnitude(x, n);
  float scale = (has(x, n, top) ? top : -top) / kFirst;
#pragma clang loop unroll(disable)
  for (int pass = 0; pass < 2; ++pass) {
    const auto steps = Wide<Isa>::splat(steps_of(scale));
    auto products = Wide<Isa>::splat(0.0f), squares = Wide<Isa>::splat(0.0f);
#pragma clang loop unroll(disable)
    for (std::size_t i = 0; i < n; i += kWide) {
      const auto values = Wide<Isa>::load(x + i), numbers = numbers_of<Isa>(nearest<Isa>(values * steps));
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
    const auto of_lanes = nearest<Isa>(Wide<Isa>::load(x + i) * steps);
    store_vector<std::int8_t>(codes + i,
                              __builtin_shufflevector(of_lanes, of_lanes, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  }
  return rounded;
}

template <class Isa>
[[gnu::noinline]] std::uint16_t encode(std::size_t bits, const float* x, std::size_t n, std::int8_t* codes) {
  return bits == 8 ? encode_bytes<Isa>(x, n, codes) : encode_nibbles<Isa>(x, n, codes);
}

}  // namespace heed::kernels::generic
