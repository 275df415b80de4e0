// Quantized blocks as GGUF files store them, and their decoded parts. Layouts: ggml's ggml-common.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/dtype.hpp"

namespace heed {

/// The parts of one block, independent of its layout:
///   value[i] = scale * run_scales[run] * number(codes[i]) - minimum * run_minimums[run]
/// without the factors and terms that the type lacks. number() subtracts an offset from the code, or looks it up in a table
/// (kernels/generic/block_layout.hpp). Codes of IQ1, IQ2 and IQ3 are levels with a sign bit above; their scale is in eighths.
struct BlockParts {
  std::uint16_t scale;         // f16; MXFP4: the biased exponent of a power of two
  std::uint16_t minimum;       // f16
  std::uint8_t codes[256];     // one per value of the block
  std::int8_t run_scales[16];  // one per run of 16 or 32 values; NVFP4: the bits of an E4M3 number
  std::int8_t run_minimums[16];
};

/// Decodes a stored block of a quantized type. Does not write parts that the type lacks. 8-bit codes are the bits of signed
/// numbers.
void read_block(DType dtype, const std::byte* stored, BlockParts& parts) noexcept;

/// The values of the codes of IQ4_NL and IQ4_XS.
inline constexpr std::int8_t kNonLinear4[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
/// The values of the codes of MXFP4 and NVFP4, doubled: E2M1, OCP Microscaling Formats, version 1.0.
inline constexpr std::int8_t kE2M1Doubled[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
/// The values of the codes of IQ2, of IQ3_XXS, of IQ3_S (doubled), and of IQ1 (in eighths).
inline constexpr std::int8_t kIQ2[16] = {8, 25, 43, 0, -8, -25, -43, 0};
inline constexpr std::int8_t kIQ3XXS[16] = {4, 12, 20, 28, 36, 44, 52, 62, -4, -12, -20, -28, -36, -44, -52, -62};
inline constexpr std::int8_t kIQ3SDoubled[16] = {2, 6, 10, 14, 18, 22, 26, 30, -2, -6, -10, -14, -18, -22, -26, -30};
inline constexpr std::int8_t kIQ1[16] = {-7, 1, 9, 0, -9, -1, 7, 0};

}  // namespace heed
