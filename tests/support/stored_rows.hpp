// Rows of weights as files store them: random ones, and their values worked out plainly, in double, from the
// formats' descriptions (ggml-common.h; Q6_K: llama.cpp pull 1684). Codebooks are Heed's; unit/tensor holds them to
// ggml's.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/fuzz.hpp"
#include "tensor/codebooks.hpp"
#include "tensor/dtype.hpp"

namespace heed::test {

/// Reads patterns past 65504 as the numbers that would follow, as Heed does.
inline double half_value(std::uint16_t half) {
  const int exponent = half >> 10 & 31, mantissa = half & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

inline double bfloat_value(std::uint16_t bits) {
  const int exponent = bits >> 7 & 255, mantissa = bits & 127;
  double magnitude = exponent == 0 ? std::ldexp(mantissa, -133) : std::ldexp(128 + mantissa, exponent - 134);
  if (exponent == 255)
    magnitude = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// Where the f16 fields of a stored block are.
inline std::vector<std::size_t> half_fields(DType dtype) {
  switch (dtype) {
    case DType::q4_1:
    case DType::q5_1:
    case DType::q4_k:
    case DType::q5_k: return {0, 2};
    case DType::q2_k: return {80, 82};
    case DType::q3_k: return {108};
    case DType::q6_k: return {208};
    case DType::tq1_0: return {52};
    case DType::tq2_0: return {64};
    case DType::iq1_m:
    case DType::nvfp4:
    case DType::mxfp4: return {};
    default: return {0};
  }
}

/// Writes the f16 scale of a block of IQ1_M: the upper four bits of each of its last four words.
inline void put_iq1_m_scale(std::byte* block, std::uint16_t half) {
  for (std::size_t i = 0; i < 4; ++i) {
    std::byte& high = block[48 + 2 * i + 1];
    high = (high & std::byte{15}) | static_cast<std::byte>((half >> 4 * i & 15) << 4);
  }
}

/// Value i of a stored block of IQ1, IQ2 or IQ3.
inline double codebook_value(DType dtype, const std::byte* stored, std::size_t i) {
  constexpr double kTwo[] = {8, 25, 43}, kThree[] = {4, 12, 20, 28, 36, 44, 52, 62};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned>(stored[at]); };
  const auto word = [&](std::size_t at) { return byte(at) + byte(at + 1) * 256; };
  const double scale = half_value(static_cast<std::uint16_t>(word(0)));
  const std::size_t group = i / 8, run = i / 32, in_run = group % 4;
  const auto level = [&](Codebook book, std::size_t index, std::size_t at) {
    return static_cast<std::size_t>(codebook(book)[index] >> 8 * at & 255);
  };
  const auto with_sign = [&](double value, unsigned signs) { return signs >> i % 8 & 1 ? -value : value; };
  const auto eighth_sign = [](unsigned seven) { return seven % 128 + (std::popcount(seven % 128) % 2 == 1 ? 128u : 0u); };
  switch (dtype) {
    case DType::iq2_xxs: {
      const std::size_t at = 2 + run * 8;
      const unsigned rest = word(at + 4) + word(at + 6) * 65536;
      const double value = kTwo[level(Codebook::iq2_xxs, byte(at + in_run), i % 8)];
      return scale * (0.5 + (rest >> 28)) / 4 * with_sign(value, eighth_sign(rest >> 7 * in_run));
    }
    case DType::iq2_xs: {
      const unsigned code = word(2 + 2 * group), run_scale = byte(66 + run) >> in_run / 2 * 4 & 15;
      return scale * (0.5 + run_scale) / 4 * with_sign(kTwo[level(Codebook::iq2_xs, code % 512, i % 8)], eighth_sign(code >> 9));
    }
    case DType::iq2_s: {
      const unsigned index = byte(2 + group) + (byte(66 + run) >> 2 * in_run & 3) * 256;
      const unsigned run_scale = byte(74 + run) >> in_run / 2 * 4 & 15;
      return scale * (0.5 + run_scale) / 4 * with_sign(kTwo[level(Codebook::iq2_s, index, i % 8)], byte(34 + group));
    }
    case DType::iq3_xxs: {
      const std::size_t at = 66 + run * 4;
      const unsigned rest = word(at) + word(at + 2) * 65536;
      const double value = kThree[level(Codebook::iq3_xxs, byte(2 + i / 4), i % 4)];
      return scale * (0.5 + (rest >> 28)) / 2 * with_sign(value, eighth_sign(rest >> 7 * in_run));
    }
    case DType::iq3_s: {
      const unsigned index = byte(2 + i / 4) + (byte(66 + run) >> i / 4 % 8 & 1) * 256;
      const unsigned run_scale = byte(106 + run / 2) >> run % 2 * 4 & 15;
      const double value = 1.0 + 2.0 * static_cast<double>(level(Codebook::iq3_s, index, i % 4));
      return scale * (1 + 2 * run_scale) * with_sign(value, byte(74 + group));
    }
    case DType::iq1_s: {
      const unsigned rest = word(34 + 2 * run), index = byte(2 + group) + (rest >> 3 * in_run & 7) * 256;
      const double value = static_cast<double>(level(Codebook::iq1, index, i % 8)) - 1;
      return scale * (2 * (rest >> 12 & 7) + 1) * (value + (rest >> 15 ? -0.125 : 0.125));
    }
    case DType::iq1_m: {
      unsigned half = 0;
      for (std::size_t n = 0; n < 4; ++n) half += (word(48 + 2 * n) >> 12) << 4 * n;
      const unsigned nibble = byte(32 + group / 2) >> group % 2 * 4 & 15, index = byte(group) + nibble % 8 * 256;
      const unsigned run_scale = word(48 + i / 64 * 2) >> i / 16 % 4 * 3 & 7;
      const double value = static_cast<double>(level(Codebook::iq1, index, i % 8)) - 1;
      return half_value(static_cast<std::uint16_t>(half)) * (2 * run_scale + 1) * (value + (nibble / 8 ? -0.125 : 0.125));
    }
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

/// Value i of a stored block of a quantized type.
inline double block_value(DType dtype, const std::byte* stored, std::size_t i) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned>(stored[at]); };
  const auto signed_byte = [&](std::size_t at) { return static_cast<int>(static_cast<std::int8_t>(stored[at])); };
  const auto half = [&](std::size_t at) { return half_value(static_cast<std::uint16_t>(byte(at) + byte(at + 1) * 256)); };
  // `count` bits from bit `from` of the little-endian number that begins at a byte
  const auto bits = [&](std::size_t at, std::size_t from, unsigned count) {
    return static_cast<int>(byte(at + from / 8) / (1u << from % 8) % (1u << count));
  };
  const auto nibble = [&](std::size_t at) { return bits(at + i % 16, i % 32 / 16 * 4, 4); };  // blocks of 32
  const std::size_t run = i / 32, place = i % 32;                                             // blocks of 256
  const auto six_bits = [&](std::size_t at, bool minimum) {                                   // of Q4_K and Q5_K
    const std::size_t r = run % 4;
    if (run < 4) return static_cast<int>(byte(at + r + (minimum ? 4 : 0)) % 64);
    return bits(at + 8 + r, minimum ? 4 : 0, 4) + 16 * bits(at + r + (minimum ? 4 : 0), 6, 2);
  };
  constexpr int kNonLinear[] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
  constexpr double kE2M1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  switch (dtype) {
    case DType::q8_0: return half(0) * signed_byte(2 + i);
    case DType::q4_0: return half(0) * (nibble(2) - 8);
    case DType::q4_1: return half(0) * nibble(4) + half(2);
    case DType::q5_0: return half(0) * (nibble(6) + 16 * bits(2, i, 1) - 16);
    case DType::q5_1: return half(0) * (nibble(8) + 16 * bits(4, i, 1)) + half(2);
    case DType::iq4_nl: return half(0) * kNonLinear[nibble(2)];
    case DType::mxfp4: {
      const int code = nibble(1);
      return std::ldexp(code < 8 ? kE2M1[code] : -kE2M1[code - 8], static_cast<int>(byte(0)) - 127);
    }
    case DType::q2_k: {
      const int code = bits(16 + run / 4 * 32 + place, run % 4 * 2, 2), scales = static_cast<int>(byte(i / 16));
      return half(80) * (scales % 16) * code - half(82) * (scales / 16);
    }
    case DType::q3_k: {
      const int code = bits(32 + run / 4 * 32 + place, run % 4 * 2, 2) + 4 * bits(place, run, 1);
      const std::size_t r = i / 16;
      const int scale = bits(96 + r % 8, r / 8 * 4, 4) + 16 * bits(104 + r % 4, r / 4 * 2, 2);
      return half(108) * (scale - 32) * (code - 4);
    }
    case DType::q4_k:
      return half(0) * six_bits(4, false) * bits(16 + run / 2 * 32 + place, run % 2 * 4, 4) - half(2) * six_bits(4, true);
    case DType::q5_k: {
      const int code = bits(48 + run / 2 * 32 + place, run % 2 * 4, 4) + 16 * bits(16 + place, run, 1);
      return half(0) * six_bits(4, false) * code - half(2) * six_bits(4, true);
    }
    case DType::q6_k: {
      const std::size_t in_half = run % 4;
      const int low = bits(run / 4 * 64 + in_half % 2 * 32 + place, in_half / 2 * 4, 4);
      const int code = low + 16 * bits(128 + run / 4 * 32 + place, in_half * 2, 2);
      return half(208) * signed_byte(192 + i / 16) * (code - 32);
    }
    case DType::iq4_xs: {
      const int scale = bits(4 + run / 2, run % 2 * 4, 4) + 16 * bits(2, run * 2, 2);
      return half(0) * (scale - 32) * kNonLinear[bits(8 + run * 16 + place % 16, place / 16 * 4, 4)];
    }
    case DType::tq1_0: {
      // five digits of base 3 a byte in 48 bytes (32, then 16), four in the last 4
      const std::size_t at = i < 160 ? i % 32 : i < 240 ? 32 + (i - 160) % 16 : 48 + (i - 240) % 4;
      const std::size_t n = i < 160 ? i / 32 : i < 240 ? (i - 160) / 16 : (i - 240) / 4;
      unsigned fraction = byte(at);
      for (std::size_t digit = 0; digit < n; ++digit) fraction = fraction * 3 % 256;
      return half(52) * (static_cast<int>(fraction * 3 / 256) - 1);
    }
    case DType::tq2_0: return half(64) * (bits(run / 4 * 32 + place, run % 4 * 2, 2) - 1);
    case DType::iq2_xxs:
    case DType::iq2_xs:
    case DType::iq2_s:
    case DType::iq3_xxs:
    case DType::iq3_s:
    case DType::iq1_s:
    case DType::iq1_m: return codebook_value(dtype, stored, i);
    case DType::q1_0: return bits(2, i, 1) == 1 ? half(0) : -half(0);
    case DType::q2_0: return half(0) * (bits(2, i * 2, 2) - 1);
    case DType::nvfp4: {
      const unsigned scale = byte(i / 16) % 128;
      const int code = bits(4 + i / 16 * 8 + i % 8, i % 16 / 8 * 4, 4);
      const double e4m3 = scale < 8 ? std::ldexp(scale, -9) : std::ldexp(8 + scale % 8, static_cast<int>(scale / 8) - 10);
      return (byte(i / 16) == 0x7f ? 0 : e4m3) * (code < 8 ? kE2M1[code] : -kE2M1[code - 8]);
    }
    case DType::f32:
    case DType::f16:
    case DType::bf16: break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// The values of one stored row.
inline std::vector<double> dequantize(DType dtype, const std::byte* stored, std::size_t columns) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(stored[i]); };
  const auto word = [&](std::size_t i) { return static_cast<std::uint16_t>(byte(i) | byte(i + 1) << 8); };
  std::vector<double> values(columns);
  for (std::size_t k = 0; k < columns; ++k) {
    switch (dtype) {
      case DType::f32: {
        float value;
        std::memcpy(&value, stored + k * 4, sizeof value);
        values[k] = value;
        break;
      }
      case DType::f16: values[k] = half_value(word(k * 2)); break;
      case DType::bf16: values[k] = bfloat_value(word(k * 2)); break;
      default:
        values[k] = block_value(dtype, stored + k / info(dtype).block_values * info(dtype).block_bytes,
                                k % info(dtype).block_values);
    }
  }
  return values;
}

/// Rows of random blocks, in file order, with scales of ordinary size; or, where `hostile`, of any bytes at
/// all.
inline std::vector<std::byte> stored_rows(DType dtype, std::size_t rows, std::size_t columns, Fuzz& fuzz, bool hostile = false) {
  std::vector<std::byte> stored(rows * row_bytes(dtype, columns));
  for (std::byte& b : stored) b = static_cast<std::byte>(fuzz.bits());
  const auto put = [&](std::size_t at, const auto& value) { std::memcpy(stored.data() + at, &value, sizeof value); };
  if (dtype == DType::f32) {
    for (std::size_t at = 0; at < stored.size(); at += 4) put(at, hostile ? fuzz.hostile() : fuzz.real());
  } else if (!hostile) {
    // f16 from 2^-10 to 2^-6, bf16 from 2^-8 to 1, either sign
    const auto half = [&] { return static_cast<std::uint16_t>(fuzz.from_to(5 << 10, (9 << 10) - 1) | fuzz.bits() << 15); };
    const auto bfloat = [&] { return static_cast<std::uint16_t>(fuzz.from_to(119 << 7, (127 << 7) - 1) | fuzz.bits() << 15); };
    for (std::size_t at = 0; at < stored.size(); at += info(dtype).block_bytes) {
      for (const std::size_t field : half_fields(dtype)) put(at + field, dtype == DType::bf16 ? bfloat() : half());
      if (dtype == DType::mxfp4) stored[at] = static_cast<std::byte>(fuzz.from_to(118, 124));
      if (dtype == DType::iq1_m) put_iq1_m_scale(stored.data() + at, half());
    }
  }
  return stored;
}

}  // namespace heed::test
