// Vectors of constants that kernels read from memory, once a function. As literals they would be made again at each use: compilers
// repeat a v128.const where it is needed, and V8 takes three or four instructions for it. So compilers must not see their values:
// they are defined in a unit of their own.
#pragma once

#include <wasm_simd128.h>

namespace heed::kernels::isa {

struct Simd128Constants {
  v128_t bytes[64];   // i in each byte: masks
  v128_t low_bytes;   // 0xff in each 16 bits
  v128_t ones;        // 1 in each 16 bits
  v128_t half_bits;   // where an f32 has the bits of an f16
  v128_t half_scale;  // 2^112, as f32
};

extern const Simd128Constants kSimd128Constants;

}  // namespace heed::kernels::isa
