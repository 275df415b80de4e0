// WebAssembly's relaxed SIMD (https://github.com/WebAssembly/relaxed-simd): simd128 with the integer dot product, whose
// second operand is a signed, an unsigned or a saturating one, as the machine has it. Each answer is a page of its own.
#pragma once

#include "kernels/isa/simd128.hpp"

namespace heed::kernels::isa {

/// What i32x4.relaxed_dot_i8x16_i7x16_add does with a second operand of eight bits.
enum class DotClass : std::uint8_t {
  sdot,     // takes it as signed
  usdot,    // takes it as unsigned
  sat,      // adds pairs in 16 bits that saturate: only seven bits are safe
  unknown,  // none of these: a broken engine, do not use the instruction
};

/// Asks the machine. The accumulator is not zero, because one engine is known to drop it (V8 11.3).
inline DotClass probe_dot_class() {
  volatile std::int8_t one = 1, low = -128, minus_one = -1;  // volatile: the engine must answer, not the compiler
  const auto dot = [](std::int8_t a, std::int8_t b) {
    const v128_t sum =
        wasm_i32x4_relaxed_dot_i8x16_i7x16_add(wasm_i8x16_splat(a), wasm_i8x16_splat(b), wasm_i32x4_splat(1000));
    return wasm_i32x4_extract_lane(sum, 0) - 1000;
  };
  const std::int32_t first = dot(one, low), second = dot(low, minus_one);
  if (first == 4 * -128 && second == 4 * 128) return DotClass::sdot;
  if (first == 4 * 128 && second == 4 * -128 * 255) return DotClass::usdot;
  if (first == 4 * 128 && second == 2 * -32768) return DotClass::sat;
  return DotClass::unknown;
}

template <DotClass kClass>
struct RelaxedSimd : Simd128 {
  static constexpr std::string_view kName = kClass == DotClass::sdot    ? "relaxed-sdot"
                                            : kClass == DotClass::usdot ? "relaxed-usdot"
                                                                        : "relaxed-sat";

  // Seven bits are exact in every class: 2 * 127 * 127 fits 16 bits. One accumulator for dot_u7; SAT's dot_i8 needs two.
  struct Dot {
    v128_t sum;
    Simd128::Dot wide;
  };
  static Dot dot_zero() { return {wasm_i32x4_splat(0), Simd128::dot_zero()}; }
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) {
    acc.sum = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(activations.v, weights.v, acc.sum);
    return acc;
  }
  static constexpr int kSignedBias = kClass == DotClass::usdot ? 128 : 0;
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) {
    if constexpr (kClass == DotClass::sat) {
      acc.wide = Simd128::dot_i8(acc.wide, activations, weights);
      return acc;
    } else {
      return dot_u7(acc, activations, weights);
    }
  }
  static I32 dot_sum(Dot acc) {
    if constexpr (kClass == DotClass::sat) return {wasm_i32x4_add(acc.sum, Simd128::dot_sum(acc.wide).v)};
    return {acc.sum};
  }
};

}  // namespace heed::kernels::isa
