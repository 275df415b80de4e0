// IEEE binary16 and bfloat16, by integer arithmetic: the same bits on every target, no hardware conversion needed.
#pragma once

#include <bit>
#include <cstdint>

namespace heed {

// Always inlined: kernel units, compiled for one instruction set, use these, too, and the linker must not pick their out-of-line
// copies for the whole program.

/// Exact for every finite half. Infinity and NaN are read as the finite values that continue the pattern after 65504 (65536 and
/// up): the vector targets convert by shift and multiply, without special cases, and no intact weight is infinite or NaN.
[[gnu::always_inline]] constexpr float f16_to_f32(std::uint16_t half) noexcept {
  const auto magnitude = std::bit_cast<float>(static_cast<std::uint32_t>(half & 0x7fffu) << 13) * 0x1p112f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | static_cast<std::uint32_t>(half & 0x8000u) << 16);
}

/// Rounds to nearest, ties to even. Magnitudes beyond 65504 become 65504 with the same sign; NaN becomes +65504, because its sign
/// differs between machines.
[[gnu::always_inline]] constexpr std::uint16_t f32_to_f16(float value) noexcept {
  constexpr std::uint32_t kLargest = 0x477fe000u;  // 65504
  if (value != value) return 0x7bff;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > kLargest) magnitude = kLargest;
  if (magnitude < 0x38800000u) {  // subnormal: adding 0.5 aligns and rounds the mantissa
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}

[[gnu::always_inline]] constexpr float bf16_to_f32(std::uint16_t value) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

}  // namespace heed
