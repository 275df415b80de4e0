// x86-64 through xsimd (f32 and i32 lanes), with the byte operations that xsimd lacks from each set's own intrinsics:
// Arch is xsimd::sse4_1 (4 rows a panel) or xsimd::avx2 (8).
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <xsimd/xsimd.hpp>

namespace heed::kernels::isa {

/// One name for both register widths.
namespace x86 {

inline __m128i maddubs(__m128i u, __m128i s) { return _mm_maddubs_epi16(u, s); }
inline __m128i madd(__m128i a, __m128i b) { return _mm_madd_epi16(a, b); }
inline __m128i ones16(__m128i) { return _mm_set1_epi16(1); }
inline __m128i load(const std::byte* p, __m128i) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
inline __m128i splat32(std::int32_t x, __m128i) { return _mm_set1_epi32(x); }
inline __m128i and_(__m128i a, __m128i b) { return _mm_and_si128(a, b); }
inline __m128i or_(__m128i a, __m128i b) { return _mm_or_si128(a, b); }
inline __m128i shr16(__m128i a, int n) { return _mm_srli_epi16(a, n); }
inline __m128i shl16(__m128i a, int n) { return _mm_slli_epi16(a, n); }
inline __m128i abs8(__m128i a) { return _mm_abs_epi8(a); }
inline __m128i copy_sign8(__m128i a, __m128i sign) { return _mm_sign_epi8(a, sign); }
inline __m128i widen_u16(const std::uint16_t* p, __m128i) { return _mm_cvtepu16_epi32(_mm_loadu_si64(p)); }
inline __m128i widen_i16(const std::uint16_t* p, __m128i) { return _mm_cvtepi16_epi32(_mm_loadu_si64(p)); }
inline __m128i widen_i8(const std::int8_t* p, __m128i) { return _mm_cvtepi8_epi32(_mm_loadu_si32(p)); }
inline __m128i widen_u8(const std::uint8_t* p, __m128i) { return _mm_cvtepu8_epi32(_mm_loadu_si32(p)); }
inline __m128i look_up(const std::int8_t* table, __m128i index) {
  return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)), index);
}
inline void narrow_i8(std::int8_t* p, __m128i a) {
  _mm_storeu_si32(p, _mm_shuffle_epi8(a, _mm_setr_epi8(0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)));
}

#ifdef __AVX2__
inline __m256i maddubs(__m256i u, __m256i s) { return _mm256_maddubs_epi16(u, s); }
inline __m256i madd(__m256i a, __m256i b) { return _mm256_madd_epi16(a, b); }
inline __m256i ones16(__m256i) { return _mm256_set1_epi16(1); }
inline __m256i load(const std::byte* p, __m256i) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
inline __m256i splat32(std::int32_t x, __m256i) { return _mm256_set1_epi32(x); }
inline __m256i and_(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
inline __m256i or_(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
inline __m256i shr16(__m256i a, int n) { return _mm256_srli_epi16(a, n); }
inline __m256i shl16(__m256i a, int n) { return _mm256_slli_epi16(a, n); }
inline __m256i abs8(__m256i a) { return _mm256_abs_epi8(a); }
inline __m256i copy_sign8(__m256i a, __m256i sign) { return _mm256_sign_epi8(a, sign); }
inline __m256i widen_u16(const std::uint16_t* p, __m256i) {
  return _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline __m256i widen_i16(const std::uint16_t* p, __m256i) {
  return _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline __m256i widen_i8(const std::int8_t* p, __m256i) { return _mm256_cvtepi8_epi32(_mm_loadu_si64(p)); }
inline __m256i widen_u8(const std::uint8_t* p, __m256i) { return _mm256_cvtepu8_epi32(_mm_loadu_si64(p)); }
inline __m256i look_up(const std::int8_t* table, __m256i index) {
  const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table));
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(half), index);
}
inline void narrow_i8(std::int8_t* p, __m256i a) {
  narrow_i8(p, _mm256_castsi256_si128(a));
  narrow_i8(p + 4, _mm256_extracti128_si256(a, 1));
}
#endif

}  // namespace x86

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
