// The primitives in plain C++: the specification, bit for bit, of all other instruction sets in this folder.
//
// An instruction set has three register types and some thirty functions on them. F32 and I32 have kLanes lanes, one for each row of
// a weight panel; Bytes has four bytes per lane, for four k of that row.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "tensor/half.hpp"

namespace heed::kernels::isa {

struct Scalar {
  // The instruction sets with equal functions for floats, for signed weights, and for unsigned weights up to kTop. Targets that
  // name the same one share its code.
  using FloatIsa = Scalar;
  using SignedIsa = Scalar;
  template <int kTop>
  using UnsignedIsa = Scalar;
  static constexpr std::string_view kName = "scalar";
  static constexpr std::size_t kLanes = 4;
  static constexpr bool kWidensTiles = false;      // tiles of several tokens use weights widened to 16 bits

  struct F32 { float v[kLanes]; };
  struct I32 { std::int32_t v[kLanes]; };
  struct Bytes { std::uint8_t v[4 * kLanes]; };
  using Dot = I32;  // a running integer dot product per lane

  template <class Out, class F>
  static Out each(F f) {
    Out out;
    for (std::size_t i = 0; i < sizeof(out.v) / sizeof(out.v[0]); ++i)
      out.v[i] = static_cast<std::remove_reference_t<decltype(out.v[0])>>(f(i));
    return out;
  }

  // F32.
  static F32 splat(float x) { return each<F32>([=](auto) { return x; }); }
  /// Marks constants that must be read from memory, on targets where that is faster than literals.
  static const float* in_memory(const float* constants) { return constants; }
  static F32 load(const float* p) { return each<F32>([=](auto i) { return p[i]; }); }
  static F32 load_f16(const std::uint16_t* p) { return each<F32>([=](auto i) { return f16_to_f32(p[i]); }); }
  /// f16 values times 2^-112: the bits of each, moved to their positions in an f32.
  static F32 load_f16_bits(const std::uint16_t* p) {
    return each<F32>([=](auto i) { return f16_to_f32(p[i]) * 0x1p-112f; });
  }
  static F32 load_bf16(const std::uint16_t* p) { return each<F32>([=](auto i) { return bf16_to_f32(p[i]); }); }
  static void store(float* p, F32 a) { std::memcpy(p, a.v, sizeof a.v); }
  static F32 add(F32 a, F32 b) { return each<F32>([=](auto i) { return a.v[i] + b.v[i]; }); }
  static F32 sub(F32 a, F32 b) { return each<F32>([=](auto i) { return a.v[i] - b.v[i]; }); }
  static F32 mul(F32 a, F32 b) { return each<F32>([=](auto i) { return a.v[i] * b.v[i]; }); }
  static F32 div(F32 a, F32 b) { return each<F32>([=](auto i) { return a.v[i] / b.v[i]; }); }
  static F32 abs(F32 a) { return each<F32>([=](auto i) { return std::fabs(a.v[i]); }); }
  /// max is a < b ? b : a, min is b < a ? b : a: both return the first operand if one is NaN.
  static F32 max(F32 a, F32 b) { return each<F32>([=](auto i) { return a.v[i] < b.v[i] ? b.v[i] : a.v[i]; }); }
  static F32 min(F32 a, F32 b) { return each<F32>([=](auto i) { return b.v[i] < a.v[i] ? b.v[i] : a.v[i]; }); }
  /// x where a < b, elsewhere zero.
  static F32 where_less(F32 a, F32 b, F32 x) {
    return each<F32>([=](auto i) { return a.v[i] < b.v[i] ? x.v[i] : 0.0f; });
  }

  // I32.
  static I32 splat_i32(std::int32_t x) { return each<I32>([=](auto) { return x; }); }
  /// Loads 2 * kLanes bytes into two registers, sign-extended.
  static void load_i8_as_i32(const std::int8_t* p, I32& first, I32& second) {
    first = each<I32>([=](auto i) { return p[i]; });
    second = each<I32>([=](auto i) { return p[kLanes + i]; });
  }
  /// Loads kLanes bytes, zero-extended.
  static I32 load_u8_as_i32(const std::uint8_t* p) { return each<I32>([=](auto i) { return p[i]; }); }
  /// Wraps around.
  static I32 add(I32 a, I32 b) {
    return each<I32>([=](auto i) {
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(a.v[i]) + static_cast<std::uint32_t>(b.v[i]));
    });
  }
  static I32 mul(I32 a, I32 b) { return each<I32>([=](auto i) { return a.v[i] * b.v[i]; }); }
  static F32 to_f32(I32 a) { return each<F32>([=](auto i) { return static_cast<float>(a.v[i]); }); }
  static I32 bits(F32 a) { return std::bit_cast<I32>(a); }
  static F32 from_bits(I32 a) { return std::bit_cast<F32>(a); }
  template <int N>
  static I32 shift_left(I32 a) {
    return each<I32>([=](auto i) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(a.v[i]) << N); });
  }
  /// Stores the low byte of each lane.
  static void store_low_bytes(std::int8_t* p, I32 a) {
    for (std::size_t i = 0; i < kLanes; ++i) p[i] = static_cast<std::int8_t>(a.v[i] & 0xff);
  }

  /// Stores the low half of each lane.
  static void store_low_halves(std::int16_t* p, I32 a) {
    for (std::size_t i = 0; i < kLanes; ++i) p[i] = static_cast<std::int16_t>(a.v[i] & 0xffff);
  }

  // Bytes.
  static Bytes load_bytes(const std::byte* p) {
    Bytes out;
    std::memcpy(out.v, p, sizeof out.v);
    return out;
  }
  /// Copies the four bytes at p to every lane.
  static Bytes splat_group(const std::byte* p) {
    return each<Bytes>([=](auto i) { return static_cast<std::uint8_t>(p[i % 4]); });
  }
  static Bytes splat_byte(std::uint8_t x) { return each<Bytes>([=](auto) { return x; }); }
  static Bytes and_(Bytes a, Bytes b) { return each<Bytes>([=](auto i) { return a.v[i] & b.v[i]; }); }
  static Bytes or_(Bytes a, Bytes b) { return each<Bytes>([=](auto i) { return a.v[i] | b.v[i]; }); }
  /// Shifts 16-bit lanes; each byte may receive bits of its neighbor, so callers mask the result.
  template <int N>
  static Bytes shift_right_16(Bytes a) {
    return each<Bytes>([=](auto i) { return (a.v[i] | (i % 2 == 0 ? a.v[i + 1] << 8 : 0)) >> N; });
  }

  /// Loads a table of 16 bytes, repeated to fill the register.
  static Bytes load_table(const std::int8_t* table) { return load_bytes(reinterpret_cast<const std::byte*>(table)); }
  /// table[index] for bytes below 16.
  static Bytes look_up(Bytes table, Bytes index) {
    return each<Bytes>([=](auto i) { return table.v[index.v[i]]; });
  }

  // Bytes as pairs of 16-bit numbers per lane.
  /// Loads two bytes per lane, sign-extended.
  static Bytes load_i8_as_i16(const std::int8_t* p) {
    std::array<std::int16_t, 2 * kLanes> pairs;
    for (std::size_t i = 0; i < 2 * kLanes; ++i) pairs[i] = p[i];
    return std::bit_cast<Bytes>(pairs);
  }
  static Bytes sub_bytes(Bytes a, Bytes b) { return each<Bytes>([=](auto i) { return a.v[i] - b.v[i]; }); }
  /// Bytes 0 and 2 of each lane, sign-extended; bytes 1 and 3.
  static Bytes even_i8_as_i16(Bytes a) { return widened(a, 0); }
  static Bytes odd_i8_as_i16(Bytes a) { return widened(a, 1); }
  /// Adds two products per lane, of integers above -32768. Sums wrap around, as on all instruction sets: they can overflow in
  /// attention to keys or values that are not finite.
  static I32 dot_i16(I32 acc, Bytes a, Bytes b) {
    const auto x = std::bit_cast<std::array<std::int16_t, 2 * kLanes>>(a);
    const auto y = std::bit_cast<std::array<std::int16_t, 2 * kLanes>>(b);
    return each<I32>([&](auto i) {
      const int products = x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1];
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(acc.v[i]) + static_cast<std::uint32_t>(products));
    });
  }

  // Exact integer dot products.
  static Dot dot_start(I32 start) { return start; }
  /// Adds four products per lane, of signed activations and unsigned weights below 128.
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) {
    for (std::size_t i = 0; i < 4 * kLanes; ++i)
      acc.v[i / 4] += static_cast<std::int8_t>(activations.v[i]) * weights.v[i];
    return acc;
  }
  /// As dot_u7(), for signed weights w, which are stored and multiplied as bytes w + kSignedBias. The caller subtracts kSignedBias
  /// * (sum of the activations).
  static constexpr int kSignedBias = 0;
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) {
    for (std::size_t i = 0; i < 4 * kLanes; ++i)
      acc.v[i / 4] += static_cast<std::int8_t>(activations.v[i]) * static_cast<std::int8_t>(weights.v[i]);
    return acc;
  }
  static I32 dot_sum(Dot acc) { return acc; }

 private:
  static Bytes widened(Bytes a, std::size_t first) {
    std::array<std::int16_t, 2 * kLanes> pairs;
    for (std::size_t i = 0; i < 2 * kLanes; ++i) pairs[i] = static_cast<std::int8_t>(a.v[2 * i + first]);
    return std::bit_cast<Bytes>(pairs);
  }
};

}  // namespace heed::kernels::isa
