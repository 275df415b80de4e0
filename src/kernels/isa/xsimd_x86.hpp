// x86-64 through xsimd (f32 and i32 lanes), with the byte operations that xsimd lacks from each set's own intrinsics:
// Arch is xsimd::sse4_1 (8 rows a panel), xsimd::avx2 (16), or what a page with its own dot product builds on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "kernels/isa/x86_bytes.hpp"

namespace heed::kernels::isa {

template <class Arch>
struct XsimdX86 {
  using FloatPage = XsimdX86;
  using SevenBitPage = XsimdX86;
  using NibblePage = XsimdX86;
  using F32 = xsimd::batch<float, Arch>;
  using I32 = xsimd::batch<std::int32_t, Arch>;
  using Register = typename I32::register_type;
  struct Bytes { Register v; };
  using Dot = I32;

  static constexpr std::string_view kName = std::is_same_v<Arch, xsimd::sse4_1> ? "sse41" : "avx2";
  static constexpr std::size_t kLanes = F32::size;

  static F32 splat(float x) { return F32(x); }
  static F32 load(const float* p) { return F32::load_unaligned(p); }
  static F32 load_f16_bits(const std::uint16_t* p) {
    // sign-extended and shifted, the sign fills the exponent's upper bits: the mask leaves one of it
    const I32 shifted = I32(x86::widen_i16(p, Register{})) << 13;
    return from_bits(shifted & I32(static_cast<std::int32_t>(0x8fffe000u)));
  }
  static F32 load_f16(const std::uint16_t* p) { return load_f16_bits(p) * F32(0x1p112f); }
  static F32 load_bf16(const std::uint16_t* p) { return from_bits(I32(x86::widen_u16(p, Register{})) << 16); }
  static F32 load_i8(const std::int8_t* p) { return to_f32(load_i8_as_i32(p)); }
  static void store(float* p, F32 a) { a.store_unaligned(p); }
  static F32 add(F32 a, F32 b) { return a + b; }
  static F32 sub(F32 a, F32 b) { return a - b; }
  static F32 mul(F32 a, F32 b) { return a * b; }
  static F32 div(F32 a, F32 b) { return a / b; }
  static F32 abs(F32 a) { return xsimd::abs(a); }
  static F32 max(F32 a, F32 b) { return xsimd::select(a < b, b, a); }
  static F32 min(F32 a, F32 b) { return xsimd::select(b < a, b, a); }
  static F32 where_less(F32 a, F32 b, F32 x) { return xsimd::select(a < b, x, F32(0.0f)); }

  static I32 splat_i32(std::int32_t x) { return I32(x); }
  static I32 load_i8_as_i32(const std::int8_t* p) { return I32(x86::widen_i8(p, Register{})); }
  static I32 load_u8_as_i32(const std::uint8_t* p) { return I32(x86::widen_u8(p, Register{})); }
  static I32 add(I32 a, I32 b) { return a + b; }
  static I32 mul(I32 a, I32 b) { return a * b; }
  static F32 to_f32(I32 a) { return xsimd::to_float(a); }
  static I32 bits(F32 a) { return xsimd::bitwise_cast<std::int32_t>(a); }
  static F32 from_bits(I32 a) { return xsimd::bitwise_cast<float>(a); }
  template <int N>
  static I32 shift_left(I32 a) { return a << N; }
  static void store_low_bytes(std::int8_t* p, I32 a) { x86::narrow_i8(p, a); }

  static Bytes load_bytes(const std::byte* p) { return {x86::load(p, Register{})}; }
  static Bytes splat_group(const std::byte* p) {
    std::int32_t group;
    std::memcpy(&group, p, sizeof group);
    return {x86::splat32(group, Register{})};
  }
  static Bytes splat_byte(std::uint8_t x) { return {x86::splat32(x * 0x01010101, Register{})}; }
  static Bytes and_(Bytes a, Bytes b) { return {x86::and_(a.v, b.v)}; }
  static Bytes or_(Bytes a, Bytes b) { return {x86::or_(a.v, b.v)}; }
  template <int N>
  static Bytes shift_right_16(Bytes a) { return {x86::shr16(a.v, N)}; }
  template <int N>
  static Bytes shift_left_16(Bytes a) { return {x86::shl16(a.v, N)}; }

  static Bytes look_up(const std::int8_t* table, Bytes index) { return {x86::look_up(table, index.v)}; }

  // maddubs adds pairs in 16 bits that saturate at 32767. Neither form reaches it: 2 * 127 * 127 = 32258 for seven bits,
  // and 2 * 128 * 127 = 32512 for |weight| <= 128 against activations of at most 127.
  static Dot dot_start(I32 start) { return start; }
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) {
    return acc + I32(x86::madd(x86::maddubs(weights.v, activations.v), x86::ones16(Register{})));
  }
  static constexpr int kSignedBias = 0;
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) {
    const Register pairs = x86::maddubs(x86::abs8(weights.v), x86::copy_sign8(activations.v, weights.v));
    return acc + I32(x86::madd(pairs, x86::ones16(Register{})));
  }
  static I32 dot_sum(Dot acc) { return acc; }
};

}  // namespace heed::kernels::isa
