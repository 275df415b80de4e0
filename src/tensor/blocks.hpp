// Quantized blocks as GGUF files store them, and the parts that they are made of. Layouts: ggml's ggml-common.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/dtype.hpp"

namespace heed {

/// What one stored block says, whatever its layout. value[i] of the block is, with the parts that its type has,
///   scale * run_scales[run] * number(codes[i])  -  minimum * run_minimums[run]
/// where number() takes an offset off the code, or looks it up in a table (kernels/generic/block_layout.hpp). The codes of IQ1, IQ2
/// and IQ3 are levels, with the bit of a sign above them; their scale counts eighths.
struct BlockParts {
  std::uint16_t scale;         // f16; MXFP4: the biased exponent of a power of two
  std::uint16_t minimum;       // f16
  std::uint8_t codes[256];     // as many as the type's blocks have values
  std::int8_t run_scales[16];  // one a run of 16 or 32 values; NVFP4: the bits of an E4M3 number
  std::int8_t run_minimums[16];
};

/// Takes a stored block of a quantized type apart; parts that the type lacks are left as they are. 8-bit
/// codes are the signed number's bits.
void read_block(DType dtype, const std::byte* stored, BlockParts& parts) noexcept;

/// What the codes of IQ4_NL and IQ4_XS stand for.
inline constexpr std::int8_t kNonLinear4[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
/// What the codes of MXFP4 and NVFP4 stand for, doubled: E2M1, OCP Microscaling Formats, version 1.0.
inline constexpr std::int8_t kE2M1Doubled[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
/// What the codes of IQ2 stand for; of IQ3_XXS; of IQ3_S, doubled; of IQ1, in eighths.
inline constexpr std::int8_t kIQ2[16] = {8, 25, 43, 0, -8, -25, -43, 0};
inline constexpr std::int8_t kIQ3XXS[16] = {4, 12, 20, 28, 36, 44, 52, 62, -4, -12, -20, -28, -36, -44, -52, -62};
inline constexpr std::int8_t kIQ3SDoubled[16] = {2, 6, 10, 14, 18, 22, 26, 30, -2, -6, -10, -14, -18, -22, -26, -30};
inline constexpr std::int8_t kIQ1[16] = {-7, 1, 9, 0, -9, -1, 7, 0};

}  // namespace heed
