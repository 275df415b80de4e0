// WebAssembly's fixed-width SIMD (https://webassembly.github.io/spec/core/), whose dot product takes pairs of 16-bit numbers.
#pragma once

#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "kernels/isa/simd128_constants.hpp"

namespace heed::kernels::isa {

struct SignedSimd128;

struct Simd128 {
  using FloatIsa = Simd128;
  using SignedIsa = SignedSimd128;
  template <int kTop>
  using UnsignedIsa = Simd128;
  static constexpr std::string_view kName = "simd128";
  static constexpr std::size_t kLanes = 4;
  static constexpr bool kWidensTiles = true;

  struct F32 {
    v128_t v;
  };
  struct I32 {
    v128_t v;
  };
  struct Bytes {
    v128_t v;
  };
  static F32 splat(float x) { return {wasm_f32x4_splat(x)}; }
  static const float* in_memory(const float* constants) {
    asm("" : "+r"(constants));  // otherwise they would be literals (simd128_constants.hpp)
    return constants;
  }
  static F32 load(const float* p) { return {wasm_v128_load(p)}; }
  static F32 load_f16_bits(const std::uint16_t* p) {
    // sign extension fills the upper bits of the exponent with the sign; the mask keeps one of them
    const v128_t shifted = wasm_i32x4_shl(wasm_i32x4_load16x4(p), 13);
    return {wasm_v128_and(shifted, kSimd128Constants.half_bits)};
  }
  static F32 load_f16(const std::uint16_t* p) { return mul(load_f16_bits(p), {kSimd128Constants.half_scale}); }
  static F32 load_bf16(const std::uint16_t* p) { return {wasm_i32x4_shl(wasm_u32x4_load16x4(p), 16)}; }
  static void store(float* p, F32 a) { wasm_v128_store(p, a.v); }
  static F32 add(F32 a, F32 b) { return {wasm_f32x4_add(a.v, b.v)}; }
  static F32 sub(F32 a, F32 b) { return {wasm_f32x4_sub(a.v, b.v)}; }
  static F32 mul(F32 a, F32 b) { return {wasm_f32x4_mul(a.v, b.v)}; }
  static F32 div(F32 a, F32 b) { return {wasm_f32x4_div(a.v, b.v)}; }
  static F32 abs(F32 a) { return {wasm_f32x4_abs(a.v)}; }
  static F32 max(F32 a, F32 b) { return {wasm_f32x4_pmax(a.v, b.v)}; }
  static F32 min(F32 a, F32 b) { return {wasm_f32x4_pmin(a.v, b.v)}; }
  static F32 where_less(F32 a, F32 b, F32 x) { return {wasm_v128_and(wasm_f32x4_lt(a.v, b.v), x.v)}; }

  static I32 splat_i32(std::int32_t x) { return {wasm_i32x4_splat(x)}; }
  static void load_i8_as_i32(const std::int8_t* p, I32& first, I32& second) {
    const v128_t words = wasm_i16x8_load8x8(p);
    first = {wasm_i32x4_extend_low_i16x8(words)};
    second = {wasm_i32x4_extend_high_i16x8(words)};
  }
  static I32 load_u8_as_i32(const std::uint8_t* p) {
    return {wasm_u32x4_extend_low_u16x8(wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p)))};
  }
  static I32 add(I32 a, I32 b) { return {wasm_i32x4_add(a.v, b.v)}; }
  static I32 mul(I32 a, I32 b) { return {wasm_i32x4_mul(a.v, b.v)}; }
  static F32 to_f32(I32 a) { return {wasm_f32x4_convert_i32x4(a.v)}; }
  static I32 bits(F32 a) { return {a.v}; }
  static F32 from_bits(I32 a) { return {a.v}; }
  template <int N>
  static I32 shift_left(I32 a) {
    return {wasm_i32x4_shl(a.v, N)};
  }
  static void store_low_bytes(std::int8_t* p, I32 a) {
    const v128_t low = wasm_i8x16_shuffle(a.v, a.v, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12);
    wasm_v128_store32_lane(p, low, 0);
  }

  static void store_low_halves(std::int16_t* p, I32 a) {
    const v128_t low = wasm_i16x8_shuffle(a.v, a.v, 0, 2, 4, 6, 0, 2, 4, 6);
    wasm_v128_store64_lane(p, low, 0);
  }

  static Bytes load_bytes(const std::byte* p) { return {wasm_v128_load(p)}; }
  static Bytes splat_group(const std::byte* p) { return {wasm_v128_load32_splat(p)}; }
  static Bytes splat_byte(std::uint8_t x) {
    return {0 < x && x < std::size(kSimd128Constants.bytes) ? kSimd128Constants.bytes[x] : wasm_u8x16_splat(x)};
  }
  static Bytes and_(Bytes a, Bytes b) { return {wasm_v128_and(a.v, b.v)}; }
  static Bytes or_(Bytes a, Bytes b) { return {wasm_v128_or(a.v, b.v)}; }
  template <int N>
  static Bytes shift_right_16(Bytes a) {
    return {wasm_u16x8_shr(a.v, N)};
  }

  static Bytes load_table(const std::int8_t* table) {
    asm("" : "+r"(table));  // otherwise it would be a literal (simd128_constants.hpp)
    return {wasm_v128_load(table)};
  }
  static Bytes look_up(Bytes table, Bytes index) {
#ifdef __wasm_relaxed_simd__
    return {wasm_i8x16_relaxed_swizzle(table.v, index.v)};  // the same for indices below 16
#else
    return {wasm_i8x16_swizzle(table.v, index.v)};
#endif
  }

  static Bytes load_i8_as_i16(const std::int8_t* p) { return {wasm_i16x8_load8x8(p)}; }
  static I32 dot_i16(I32 acc, Bytes a, Bytes b) {
    v128_t next = wasm_i32x4_add(acc.v, wasm_i32x4_dot_i16x8(a.v, b.v));
    asm volatile("" : "+r"(next) : : "memory");  // otherwise LLVM makes one serial chain of several sums, and V8 spills the rest
    return {next};
  }

  static Bytes sub_bytes(Bytes a, Bytes b) { return {wasm_i8x16_sub(a.v, b.v)}; }
  static Bytes even_i8_as_i16(Bytes a) { return {wasm_i16x8_shr(wasm_i16x8_shl(a.v, 8), 8)}; }
  static Bytes odd_i8_as_i16(Bytes a) { return {wasm_i16x8_shr(a.v, 8)}; }

  /// Multiplies 16-bit lanes of two weights, low + 256 * high; MatmulInput::widened in kernels.hpp explains the activations.
  static I32 dot_pairs(I32 acc, Bytes low, Bytes high, Bytes weights) {
    return dot_i16(dot_i16(acc, low, weights), high, {wasm_u16x8_shr(weights.v, 8)});
  }
  static constexpr int kSignedBias = 0;
};

/// Signed weights. A shift turns the even byte of a lane into 256 times its value, so all sums are times 256.
struct SignedSimd128 : Simd128 {
  using Dot = I32;

  static Dot dot_start(I32 start) { return shift_left<8>(start); }
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) {
    // a shift, as a mask would be read from memory again for each vector of weights
    const Bytes odd = {wasm_i16x8_shl(odd_i8_as_i16(activations).v, 8)};
    const Dot even = dot_i16(acc, even_i8_as_i16(activations), {wasm_i16x8_shl(weights.v, 8)});
    return dot_i16(even, odd, odd_i8_as_i16(weights));
  }
  static I32 dot_sum(Dot acc) { return {wasm_i32x4_shr(acc.v, 8)}; }
};

}  // namespace heed::kernels::isa
