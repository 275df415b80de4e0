// Byte operations of x86-64 that xsimd lacks, with the same name for all register widths; if no argument has the width, an unused
// last argument selects it. Units have their own copies, because each compiles them for another instruction set.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace heed::kernels::isa::x86 {
namespace {

inline __m128i maddubs(__m128i u, __m128i s) { return _mm_maddubs_epi16(u, s); }
inline __m128i madd(__m128i a, __m128i b) { return _mm_madd_epi16(a, b); }
inline __m128i add16(__m128i a, __m128i b) { return _mm_add_epi16(a, b); }
inline __m128i ones16(__m128i) { return _mm_set1_epi16(1); }
inline __m128i load(const std::byte* p, __m128i) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
inline __m128i splat32(std::int32_t x, __m128i) { return _mm_set1_epi32(x); }
inline __m128i and_(__m128i a, __m128i b) { return _mm_and_si128(a, b); }
inline __m128i or_(__m128i a, __m128i b) { return _mm_or_si128(a, b); }
inline __m128i shr16(__m128i a, int n) { return _mm_srli_epi16(a, n); }
inline __m128i abs8(__m128i a) { return _mm_abs_epi8(a); }
inline __m128i copy_sign8(__m128i a, __m128i sign) { return _mm_sign_epi8(a, sign); }
inline __m128i widen_u16(const std::uint16_t* p, __m128i) { return _mm_cvtepu16_epi32(_mm_loadu_si64(p)); }
inline __m128i widen_i16(const std::uint16_t* p, __m128i) { return _mm_cvtepi16_epi32(_mm_loadu_si64(p)); }
inline __m128i widen_i8(const std::int8_t* p, __m128i) { return _mm_cvtepi8_epi32(_mm_loadu_si32(p)); }
inline __m128i widen_u8(const std::uint8_t* p, __m128i) { return _mm_cvtepu8_epi32(_mm_loadu_si32(p)); }
inline __m128i widen_i8_to_i16(const std::int8_t* p, __m128i) { return _mm_cvtepi8_epi16(_mm_loadu_si64(p)); }
inline __m128i load_table(const std::int8_t* table, __m128i) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(table)); }
inline __m128i look_up(__m128i table, __m128i index) { return _mm_shuffle_epi8(table, index); }
inline void narrow_i8(std::int8_t* p, __m128i a) {
  _mm_storeu_si32(p, _mm_shuffle_epi8(a, _mm_setr_epi8(0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)));
}
inline void narrow_i16(std::int16_t* p, __m128i a) {
  _mm_storeu_si64(p, _mm_shuffle_epi8(a, _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0)));
}

#ifdef __AVX2__
inline __m256i maddubs(__m256i u, __m256i s) { return _mm256_maddubs_epi16(u, s); }
inline __m256i madd(__m256i a, __m256i b) { return _mm256_madd_epi16(a, b); }
inline __m256i add16(__m256i a, __m256i b) { return _mm256_add_epi16(a, b); }
inline __m256i ones16(__m256i) { return _mm256_set1_epi16(1); }
inline __m256i load(const std::byte* p, __m256i) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
inline __m256i splat32(std::int32_t x, __m256i) { return _mm256_set1_epi32(x); }
inline __m256i and_(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
inline __m256i or_(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
inline __m256i shr16(__m256i a, int n) { return _mm256_srli_epi16(a, n); }
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
inline __m256i widen_i8_to_i16(const std::int8_t* p, __m256i) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline __m256i load_table(const std::int8_t* table, __m256i) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
}
inline __m256i look_up(__m256i table, __m256i index) { return _mm256_shuffle_epi8(table, index); }
inline void narrow_i8(std::int8_t* p, __m256i a) {
  narrow_i8(p, _mm256_castsi256_si128(a));
  narrow_i8(p + 4, _mm256_extracti128_si256(a, 1));
}
inline void narrow_i16(std::int16_t* p, __m256i a) {
  narrow_i16(p, _mm256_castsi256_si128(a));
  narrow_i16(p + 4, _mm256_extracti128_si256(a, 1));
}
#endif

#ifdef __AVX512BW__
inline __m512i madd(__m512i a, __m512i b) { return _mm512_madd_epi16(a, b); }
inline __m512i load(const std::byte* p, __m512i) { return _mm512_loadu_si512(p); }
inline __m512i splat32(std::int32_t x, __m512i) { return _mm512_set1_epi32(x); }
inline __m512i and_(__m512i a, __m512i b) { return _mm512_and_si512(a, b); }
inline __m512i or_(__m512i a, __m512i b) { return _mm512_or_si512(a, b); }
inline __m512i shr16(__m512i a, unsigned n) { return _mm512_srli_epi16(a, n); }
inline __m512i widen_u16(const std::uint16_t* p, __m512i) {
  return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline __m512i widen_i16(const std::uint16_t* p, __m512i) {
  return _mm512_cvtepi16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline __m512i widen_i8(const std::int8_t* p, __m512i) {
  return _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline __m512i widen_u8(const std::uint8_t* p, __m512i) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline __m512i widen_i8_to_i16(const std::int8_t* p, __m512i) {
  return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline __m512i load_table(const std::int8_t* table, __m512i) {
  return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
}
inline __m512i look_up(__m512i table, __m512i index) { return _mm512_shuffle_epi8(table, index); }
inline void narrow_i8(std::int8_t* p, __m512i a) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(a)); }
inline void narrow_i16(std::int16_t* p, __m512i a) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(a)); }
#endif

}  // namespace
}  // namespace heed::kernels::isa::x86
