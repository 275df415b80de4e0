// Rows of weights as files store them: random ones, and their values worked out plainly, in double, from the
// formats' descriptions (ggml-common.h; Q6_K: llama.cpp pull 1684).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/fuzz.hpp"
#include "tensor/dtype.hpp"

namespace heed::test {

/// Reads patterns past 65504 as the numbers that would follow, as Heed does.
inline double half_value(std::uint16_t half) {
  const int exponent = half >> 10 & 31, mantissa = half & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

inline double bfloat_value(std::uint16_t bits) {
  const int exponent = bits >> 7 & 255, mantissa = bits & 127;
  double magnitude = exponent == 0 ? std::ldexp(mantissa, -133) : std::ldexp(128 + mantissa, exponent - 134);
  if (exponent == 255)
    magnitude =
        mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// The values of one stored row.
inline std::vector<double> dequantise(DType dtype, const std::byte* stored, std::size_t columns) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(stored[i]); };
  const auto signed_byte = [&](std::size_t i) {
    return static_cast<int>(static_cast<std::int8_t>(stored[i]));
  };
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
      case DType::q8_0: {
        const std::size_t block = k / 32 * 34;
        values[k] = half_value(word(block)) * signed_byte(block + 2 + k % 32);
        break;
      }
      case DType::q4_0: {
        const std::size_t block = k / 32 * 18;
        const unsigned pair = byte(block + 2 + k % 16);
        values[k] = half_value(word(block)) * (static_cast<int>(k % 32 < 16 ? pair % 16 : pair / 16) - 8);
        break;
      }
      case DType::q6_k: {
        const std::size_t block = k / 256 * 210, i = k % 256;
        const std::size_t half = i / 128, quarter = i % 128 / 32, place = i % 32;
        const unsigned low = byte(block + half * 64 + quarter % 2 * 32 + place);
        const unsigned high = byte(block + 128 + half * 32 + place);
        const unsigned code = (quarter < 2 ? low % 16 : low / 16) + high / (1u << 2 * quarter) % 4 * 16;
        values[k] =
            half_value(word(block + 208)) * signed_byte(block + 192 + i / 16) * (static_cast<int>(code) - 32);
        break;
      }
    }
  }
  return values;
}

/// Rows of random blocks, in file order, with scales of ordinary size; or, where `hostile`, of any bytes at
/// all.
inline std::vector<std::byte> stored_rows(DType dtype, std::size_t rows, std::size_t columns, Fuzz& fuzz,
                                          bool hostile = false) {
  std::vector<std::byte> stored(rows * row_bytes(dtype, columns));
  for (std::byte& b : stored) b = static_cast<std::byte>(fuzz.bits());
  const auto put = [&](std::size_t at, const auto& value) {
    std::memcpy(stored.data() + at, &value, sizeof value);
  };
  if (dtype == DType::f32) {
    for (std::size_t at = 0; at < stored.size(); at += 4) put(at, hostile ? fuzz.hostile() : fuzz.real());
  } else if (!hostile) {
    // f16 from 2^-10 to 2^-6, bf16 from 2^-8 to 1, either sign
    const auto half = [&] {
      return static_cast<std::uint16_t>(fuzz.from_to(5 << 10, (9 << 10) - 1) | fuzz.bits() << 15);
    };
    const auto bfloat = [&] {
      return static_cast<std::uint16_t>(fuzz.from_to(119 << 7, (127 << 7) - 1) | fuzz.bits() << 15);
    };
    const std::size_t block = info(dtype).block_bytes, scale = dtype == DType::q6_k ? 208 : 0;
    for (std::size_t at = 0; at < stored.size(); at += block)
      put(at + scale, dtype == DType::bf16 ? bfloat() : half());
  }
  return stored;
}

}  // namespace heed::test
