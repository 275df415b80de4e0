// Vectors of constants that kernels read from memory, once per function. Compilers repeat a literal (v128.const) at each use, and
// V8 takes three or four instructions for it. The constants are defined in a unit of their own, so that compilers do not see their
// values.
#pragma once

#include <wasm_simd128.h>

namespace heed::kernels::isa {

struct Simd128Constants {
  v128_t bytes[64];   // bytes[i]: i in each byte, for masks
  v128_t low_bytes;   // 0x00ff in each 16-bit lane
  v128_t ones;        // 1 in each 16-bit lane
  v128_t half_bits;   // mask of an f16's bits in an f32
  v128_t half_scale;  // 2^112, as f32
};

extern const Simd128Constants kSimd128Constants;

}  // namespace heed::kernels::isa
