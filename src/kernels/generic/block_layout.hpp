// The layout of each quantized type in a panel, as data: codes of a few bits, and scales.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tensor/blocks.hpp"
#include "tensor/dtype.hpp"

namespace heed::kernels::generic {

struct BlockLayout {
  std::size_t bits = 4;  // bits of a code: 1, 2, 3, 4, 5, 6 or 8
  int step = 1;          // difference between the values of adjacent codes: 1 or 2
  // Without a table, the value of a code is code * step - offset. With one, products add the offset to the table's values, so that
  // they are unsigned.
  int offset = 0;
  const std::int8_t* table = nullptr;  // if not nullptr, the values of the codes
  bool codebook = false;               // the table is code_numbers() of the type, and the scale is in eighths
  std::size_t scale_span = 32;         // consecutive values that share a float scale (and minimum): 32, 64, 128, 256
  bool exponent = false;               // the scale is a power of two, stored as its exponent
  bool minimum = false;                // a minimum is subtracted from the product of scale and code
  std::size_t run = 0;                 // consecutive values that also share an integer scale: 16, 32, or 0 for none
  bool float_runs = false;             // runs have E4M3 scales instead of all other scales
};

constexpr BlockLayout block_layout(DType dtype) noexcept {
  switch (dtype) {
    case DType::q8_0: return {.bits = 8};
    case DType::q4_0: return {.offset = 8};
    case DType::q4_1: return {.minimum = true};
    case DType::q5_0: return {.bits = 5, .offset = 16};
    case DType::q5_1: return {.bits = 5, .minimum = true};
    case DType::q2_k: return {.bits = 2, .scale_span = 256, .minimum = true, .run = 16};
    case DType::q3_k: return {.bits = 3, .offset = 4, .scale_span = 256, .run = 16};
    case DType::q4_k: return {.scale_span = 256, .minimum = true, .run = 32};
    case DType::q5_k: return {.bits = 5, .scale_span = 256, .minimum = true, .run = 32};
    case DType::q6_k: return {.bits = 6, .offset = 32, .scale_span = 256, .run = 16};
    case DType::iq4_nl: return {.table = kNonLinear4};
    case DType::iq4_xs: return {.table = kNonLinear4, .scale_span = 256, .run = 32};
    case DType::mxfp4: return {.offset = 16, .table = kE2M1Doubled, .exponent = true};
    case DType::tq1_0:
    case DType::tq2_0: return {.bits = 2, .offset = 1, .scale_span = 256};
    case DType::iq2_xxs:
    case DType::iq1_s: return {.bits = 3, .offset = 64, .codebook = true, .scale_span = 256, .run = 32};
    case DType::iq2_xs:
    case DType::iq2_s:
    case DType::iq1_m: return {.bits = 3, .offset = 64, .codebook = true, .scale_span = 256, .run = 16};
    case DType::iq3_xxs:
    case DType::iq3_s: return {.offset = 64, .codebook = true, .scale_span = 256, .run = 32};
    case DType::q1_0: return {.bits = 1, .step = 2, .offset = 1, .scale_span = 128};
    case DType::q2_0: return {.bits = 2, .offset = 1, .scale_span = 64};
    case DType::nvfp4: return {.offset = 16, .table = kE2M1Doubled, .scale_span = 64, .run = 16, .float_runs = true};
    case DType::f32:
    case DType::f16:
    case DType::bf16: break;
  }
  return {};
}

/// The numbers that the codes stand for, in a type with a codebook.
constexpr const std::int8_t* code_numbers(DType dtype) noexcept {
  switch (dtype) {
    case DType::iq3_xxs: return kIQ3XXS;
    case DType::iq3_s: return kIQ3SDoubled;
    case DType::iq1_s:
    case DType::iq1_m: return kIQ1;
    default: return kIQ2;
  }
}

/// Whether a product needs signed 8-bit weights; otherwise, unsigned 7-bit ones suffice.
constexpr bool has_signed_weights(DType dtype) noexcept {
  return block_layout(dtype).bits == 8 || (block_layout(dtype).table != nullptr && block_layout(dtype).offset == 0);
}

/// How the sums of a block's products are converted to floats, independent of the bits of its codes.
struct BlockShape {
  std::size_t runs = 0;  // runs in a block, with a scale each: 1 or 2; 0: no runs
  int offset = 0;        // a dot product exceeds the true one by this times the sum of activations; a power of two, or 0
  int step = 1;          // this and the next three: as in BlockLayout
  bool exponent = false, minimum = false, float_runs = false;
  bool eighths = false;    // the scale is in eighths
  bool is_signed = false;  // weights are signed
  bool operator==(const BlockShape&) const = default;
};

constexpr BlockShape block_shape(DType dtype, int offset) noexcept {
  const BlockLayout layout = block_layout(dtype);
  return {.runs = layout.run > 0 ? 32 / layout.run : 0,
          .offset = offset,
          .step = layout.step,
          .exponent = layout.exponent,
          .minimum = layout.minimum,
          .float_runs = layout.float_runs,
          .eighths = layout.codebook,
          .is_signed = has_signed_weights(dtype)};
}

/// The shape for weights that were widened to 16 bits. These have no offset, unless the step is 2.
constexpr BlockShape widened(BlockShape shape) noexcept {
  if (shape.step == 1) shape.offset = 0;
  shape.is_signed = true;
  return shape;
}

/// Offsets in bytes of the parts of a span (block_storage.hpp).
struct SpanLayout {
  std::size_t bytes = 0, blocks = 0;  // of a span
  std::size_t minimums = 0, run_scales = 0, run_minimums = 0;
};

/// The largest weight of a type with unsigned weights, or of all types that share its code.
constexpr int largest_weight(DType dtype) noexcept {
  const BlockLayout layout = block_layout(dtype);
  if (layout.codebook) return 127;
  if (layout.table == nullptr) return (1 << layout.bits) - 1;
  return *std::max_element(layout.table, layout.table + (std::size_t{1} << layout.bits)) + layout.offset;
}

}  // namespace heed::kernels::generic
