#include "kernels/isa/simd128_constants.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heed::kernels::isa {
namespace {

constexpr v128_t splat(std::uint32_t bits) {
  const auto lane = static_cast<std::int32_t>(bits);
  return v128_t{lane, lane, lane, lane};
}

template <std::uint32_t... i>
constexpr Simd128Constants constants(std::integer_sequence<std::uint32_t, i...>) {
  return {.bytes = {splat(i * 0x01010101)...},
          .low_bytes = splat(0x00ff00ff),
          .ones = splat(0x00010001),
          .half_bits = splat(0x8fffe000),
          .half_scale = splat(std::bit_cast<std::uint32_t>(0x1p112f))};
}

}  // namespace

constinit const Simd128Constants kSimd128Constants = constants(std::make_integer_sequence<std::uint32_t, 64>{});

}  // namespace heed::kernels::isa
