// Half floats, exhaustively, against their definitions in double.
#include "tensor/half.hpp"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/fuzz.hpp"
#include "support/infinity.hpp"
#include "support/stored_rows.hpp"

using heed::f16_to_f32;
using heed::f32_to_f16;
using heed::test::kInfinity;

namespace {

/// The nearest half, ties to even, by walking: `low` and the next pattern enclose the magnitude.
std::uint16_t nearest_half(float value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(static_cast<double>(value));
  if (!(magnitude < 65504)) return sign | 0x7bff;
  std::uint16_t low = 0, high = 0x7bff;
  while (high - low > 1) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    (heed::test::half_value(middle) <= magnitude ? low : high) = middle;
  }
  const double below = magnitude - heed::test::half_value(low), above = heed::test::half_value(high) - magnitude;
  const bool up = above < below || (above == below && low % 2 == 1);
  return sign | (up ? high : low);
}

}  // namespace

TEST_CASE("every f16 and bf16 reads as its value", "[tensor]") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = f16_to_f32(half), bfloat = heed::bf16_to_f32(half);
    const double exact = heed::test::bfloat_value(half);
    if (value != heed::test::half_value(half) || std::signbit(value) != (bits >= 0x8000)) ++wrong;
    if (bfloat != exact && !(std::isnan(bfloat) && std::isnan(exact))) ++wrong;
    if (std::signbit(bfloat) != (bits >= 0x8000)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("every finite f16 survives the way through f32", "[tensor]") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if ((half & 0x7c00) != 0x7c00 && f32_to_f16(f16_to_f32(half)) != half) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("f32 rounds to the nearest f16, ties to even", "[tensor]") {
  heed::test::Fuzz fuzz(1);
  int wrong = 0;
  const auto check = [&](float value) {
    if (!std::isnan(value) && f32_to_f16(value) != nearest_half(value)) ++wrong;
  };
  // the midpoint of each pair of neighbors, and the floats on its two sides
  for (std::uint16_t half = 0; half < 0x7bff; ++half) {
    const double middle = (heed::test::half_value(half) + heed::test::half_value(static_cast<std::uint16_t>(half + 1))) / 2;
    const auto value = static_cast<float>(middle);
    for (const float sign : {1.0f, -1.0f}) {
      check(sign * value);
      check(sign * std::nextafter(value, 0.0f));
      check(sign * std::nextafter(value, 1e9f));
    }
  }
  for (int i = 0; i < 200000; ++i) check(std::bit_cast<float>(static_cast<std::uint32_t>(fuzz.bits())));
  CHECK(wrong == 0);
}

TEST_CASE("values beyond f16 become its largest value", "[tensor]") {
  CHECK(f32_to_f16(65504.0f) == 0x7bff);
  CHECK(f32_to_f16(65520.0f) == 0x7bff);
  CHECK(f32_to_f16(kInfinity) == 0x7bff);
  CHECK(f32_to_f16(-kInfinity) == 0xfbff);
  // the sign of a NaN differs by machine
  CHECK(f32_to_f16(std::bit_cast<float>(0x7fc00000u)) == 0x7bff);
  CHECK(f32_to_f16(std::bit_cast<float>(0xffc00000u)) == 0x7bff);
}
