// Quantised blocks as GGUF files store them, and the parts that they are made of. Layouts: ggml's ggml-common.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/dtype.hpp"

namespace heed {

/// What one stored block says, whatever its layout. value[i] of the block is, with the parts that its type has,
///   scale * run_scales[run] * number(codes[i])  -  minimum * run_minimums[run]
/// where number() takes an offset off the code, or looks it up in a table (kernels/generic/block_layout.hpp).
struct BlockParts {
  std::uint16_t scale;          // f16; MXFP4: the biased exponent of a power of two
  std::uint16_t minimum;        // f16
  std::uint8_t codes[256];      // the first 32 for types with blocks of 32
  std::int8_t run_scales[16];   // one a run of 16 or 32 values
  std::int8_t run_minimums[16];
};

/// Takes a stored block of a quantised type apart; parts that the type lacks are left as they are. 8-bit
/// codes are the signed number's bits.
void read_block(DType dtype, const std::byte* stored, BlockParts& parts) noexcept;

/// What the codes of IQ4_NL and IQ4_XS stand for.
inline constexpr std::int8_t kNonLinear4[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
/// What the codes of MXFP4 stand for, doubled: E2M1, OCP Microscaling Formats, version 1.0.
inline constexpr std::int8_t kE2M1Doubled[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

}  // namespace heed
