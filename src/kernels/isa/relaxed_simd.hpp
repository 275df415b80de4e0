// WebAssembly's relaxed SIMD: simd128, and the relaxed dot product of this machine.
#pragma once

#include "kernels/isa/relaxed_dot.hpp"
#include "kernels/isa/simd128.hpp"

namespace heed::kernels::isa {

struct RelaxedInstruction {
  static Simd128::I32 dot(Simd128::Bytes activations, Simd128::Bytes weights, Simd128::I32 sum) {
    v128_t next = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(activations.v, weights.v, sum.v);
    asm volatile("" : "+r"(next) : : "memory");  // or LLVM makes one serial chain of several sums, and V8 spills the rest
    return {next};
  }
  static Simd128::Bytes add_pairs(Simd128::Bytes activations, Simd128::Bytes weights, Simd128::Bytes sums) {
    v128_t next = wasm_i16x8_add(sums.v, wasm_i16x8_relaxed_dot_i8x16_i7x16(activations.v, weights.v));
    asm volatile("" : "+r"(next) : : "memory");
    return {next};
  }
  static Simd128::I32 fold_pairs(Simd128::Bytes sums) { return {wasm_i32x4_dot_i16x8(sums.v, wasm_i16x8_splat(1))}; }
};

template <DotClass kClass>
using RelaxedSimd = RelaxedDot<Simd128, RelaxedInstruction, kClass>;

}  // namespace heed::kernels::isa
