// WebAssembly's relaxed SIMD: simd128 plus the relaxed dot product.
#pragma once

#include "kernels/isa/relaxed_dot.hpp"
#include "kernels/isa/simd128.hpp"

namespace heed::kernels::isa {

struct RelaxedInstruction {
  static Simd128::I32 dot(Simd128::Bytes activations, Simd128::Bytes weights, Simd128::I32 sum) {
    v128_t next = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(activations.v, weights.v, sum.v);
    asm volatile("" : "+r"(next) : : "memory");  // otherwise LLVM makes one serial chain of several sums, and V8 spills the rest
    return {next};
  }
  /// Sums of two products, in 16 bits.
  static Simd128::Bytes pairs(Simd128::Bytes activations, Simd128::Bytes weights) {
    return {wasm_i16x8_relaxed_dot_i8x16_i7x16(activations.v, weights.v)};
  }
  static Simd128::Bytes add_pairs(Simd128::Bytes sums, Simd128::Bytes pairs) {
    v128_t next = wasm_i16x8_add(sums.v, pairs.v);
    asm volatile("" : "+r"(next) : : "memory");
    return {next};
  }
  /// Adds the two 16-bit sums of each lane. Does not use the instruction that only adds them: V8 loads a vector of ones each time.
  static Simd128::I32 add_folded(Simd128::I32 sum, Simd128::Bytes pairs) {
    return Simd128::dot_i16(sum, pairs, {kSimd128Constants.ones});
  }
  static Simd128::Bytes magnitudes(Simd128::Bytes a) { return {wasm_i8x16_abs(a.v)}; }
  static Simd128::Bytes signs(Simd128::Bytes a) {
    v128_t zero = wasm_i8x16_splat(0);
    asm("" : "+r"(zero));  // otherwise LLVM turns the comparison into a shift, which x86 lacks for bytes
    return {wasm_i8x16_gt(zero, a.v)};
  }
  static Simd128::Bytes flipped(Simd128::Bytes a, Simd128::Bytes signs) { return {wasm_v128_xor(a.v, signs.v)}; }
};

template <DotClass kClass>
using RelaxedSimd = RelaxedDot<Simd128, RelaxedInstruction, kClass>;

}  // namespace heed::kernels::isa
