#include "tensor/blocks.hpp"

#include <cstring>

#include "tensor/block_fields.hpp"
#include "tensor/codebook_blocks.hpp"

namespace heed {
namespace {

std::uint16_t negated(std::uint16_t half) noexcept { return half ^ 0x8000u; }

// Reads 4-bit codes of 2 n values: byte i has code i in its low nibble and code i + n in its high one.
void read_nibbles(const std::uint8_t* bytes, std::size_t n, std::uint8_t* codes) noexcept {
  for (std::size_t i = 0; i < n; i += 8) {
    const std::uint64_t word = load8(bytes + i);
    store8(codes + i, word & kEach * 15);
    store8(codes + n + i, word >> 4 & kEach * 15);
  }
}

// Adds a fifth bit to each of 32 codes.
void add_fifth_bits(const std::uint8_t* bits, std::uint8_t* codes) noexcept {
  for (std::size_t i = 0; i < 32; i += 8) store8(codes + i, load8(codes + i) | bytes_of_bits(bits[i / 8]) << 4);
}

// Reads codes of 256 values, `bits` bits each: 8 / bits runs of 32 values share 32 bytes, the first run in the lowest bits. With a
// `shift`, these are the upper bits of the codes, and are added to the lower ones.
void read_shared(const std::uint8_t* bytes, std::size_t bits, std::size_t shift, std::uint8_t* codes) noexcept {
  const std::size_t sharing = 8 / bits;
  const std::uint64_t mask = kEach * ((1u << bits) - 1);
  for (std::size_t run = 0; run < 8; ++run, codes += 32) {
    const std::uint8_t* from = bytes + run / sharing * 32;
    const std::size_t down = run % sharing * bits;
    for (std::size_t i = 0; i < 32; i += 8) {
      const std::uint64_t part = (load8(from + i) >> down & mask) << shift;
      store8(codes + i, shift == 0 ? part : load8(codes + i) | part);
    }
  }
}

// Reads eight scales and eight minimums of 6 bits each from 12 bytes (Q4_K, Q5_K).
void read_scales_and_minimums(const std::uint8_t* bytes, BlockParts& parts) noexcept {
  for (std::size_t i = 0; i < 4; ++i) {
    parts.run_scales[i] = bytes[i] & 63;
    parts.run_minimums[i] = bytes[i + 4] & 63;
    parts.run_scales[i + 4] = static_cast<std::int8_t>((bytes[i + 8] & 15) | bytes[i] >> 6 << 4);
    parts.run_minimums[i + 4] = static_cast<std::int8_t>(bytes[i + 8] >> 4 | bytes[i + 4] >> 6 << 4);
  }
}

void read_q8_0(Fields f, BlockParts& parts) noexcept {
  parts.scale = f.word();
  std::memcpy(parts.codes, f.bytes(32), 32);
}

// Reads Q4_0, Q4_1, Q5_0, Q5_1, IQ4_NL. These types add their minimum, whereas BlockParts subtracts it, so it is negated.
void read_legacy(Fields f, bool minimum, bool fifth, BlockParts& parts) noexcept {
  parts.scale = f.word();
  if (minimum) parts.minimum = negated(f.word());
  const std::uint8_t* fifths = fifth ? f.bytes(4) : nullptr;
  read_nibbles(f.bytes(16), 16, parts.codes);
  if (fifths) add_fifth_bits(fifths, parts.codes);
}

void read_q2_k(Fields f, BlockParts& parts) noexcept {
  const std::uint8_t* scales = f.bytes(16);
  for (std::size_t run = 0; run < 16; ++run) {
    parts.run_scales[run] = scales[run] & 15;
    parts.run_minimums[run] = static_cast<std::int8_t>(scales[run] >> 4);
  }
  read_shared(f.bytes(64), 2, 0, parts.codes);
  parts.scale = f.word();
  parts.minimum = f.word();
}

void read_q3_k(Fields f, BlockParts& parts) noexcept {
  const std::uint8_t* high_bits = f.bytes(32);
  read_shared(f.bytes(64), 2, 0, parts.codes);
  read_shared(high_bits, 1, 2, parts.codes);
  const std::uint8_t* scales = f.bytes(12);  // of 6 bits: low nibbles in 8 bytes, then pairs of high bits
  for (std::size_t run = 0; run < 16; ++run) {
    const unsigned low = run < 8 ? scales[run] & 15u : scales[run - 8] >> 4;
    const unsigned high = scales[8 + run % 4] >> run / 4 * 2 & 3u;
    parts.run_scales[run] = static_cast<std::int8_t>(static_cast<int>(low | high << 4) - 32);
  }
  parts.scale = f.word();
}

void read_q4_k(Fields f, BlockParts& parts) noexcept {
  parts.scale = f.word();
  parts.minimum = f.word();
  read_scales_and_minimums(f.bytes(12), parts);
  read_shared(f.bytes(128), 4, 0, parts.codes);
}

void read_q5_k(Fields f, BlockParts& parts) noexcept {
  parts.scale = f.word();
  parts.minimum = f.word();
  read_scales_and_minimums(f.bytes(12), parts);
  const std::uint8_t* high_bits = f.bytes(32);
  read_shared(f.bytes(128), 4, 0, parts.codes);
  read_shared(high_bits, 1, 4, parts.codes);
}

void read_q6_k(Fields f, BlockParts& parts) noexcept {
  for (std::size_t half = 0; half < 2; ++half) read_nibbles(f.bytes(64), 64, parts.codes + half * 128);
  read_shared(f.bytes(64), 2, 4, parts.codes);
  std::memcpy(parts.run_scales, f.bytes(16), 16);
  parts.scale = f.word();
}

void read_iq4_xs(Fields f, BlockParts& parts) noexcept {
  parts.scale = f.word();
  const unsigned high = f.word();
  const std::uint8_t* low = f.bytes(4);
  for (std::size_t run = 0; run < 8; ++run) {
    const unsigned scale = (low[run / 2] >> run % 2 * 4 & 15u) | (high >> run * 2 & 3u) << 4;
    parts.run_scales[run] = static_cast<std::int8_t>(static_cast<int>(scale) - 32);
    read_nibbles(f.bytes(16), 16, parts.codes + run * 32);
  }
}

void read_mxfp4(Fields f, BlockParts& parts) noexcept {
  parts.scale = *f.bytes(1);
  read_nibbles(f.bytes(16), 16, parts.codes);
}

/// The n-th ternary digit of each of four bytes. A byte stores its digits as a fraction in base 3, rounded up.
std::uint32_t ternary_digits(std::uint32_t bytes, std::size_t n) noexcept {
  constexpr std::uint32_t kPowers[] = {1, 3, 9, 27, 81}, kPair = 0x00ff00ff;
  const auto digits = [&](std::uint32_t pair) { return (pair * kPowers[n] & kPair) * 3 >> 8 & kPair; };
  return digits(bytes & kPair) | digits(bytes >> 8 & kPair) << 8;
}

void read_tq1_0(Fields f, BlockParts& parts) noexcept {
  std::uint8_t* code = parts.codes;
  struct Part {
    std::size_t bytes, digits;
  };
  for (const Part part : {Part{32, 5}, Part{16, 5}, Part{4, 4}}) {
    const std::uint8_t* bytes = f.bytes(part.bytes);
    for (std::size_t n = 0; n < part.digits; ++n)
      for (std::size_t i = 0; i < part.bytes; i += 4, code += 4) {
        std::uint32_t four;
        std::memcpy(&four, bytes + i, 4);
        four = ternary_digits(four, n);
        std::memcpy(code, &four, 4);
      }
  }
  parts.scale = f.word();
}

void read_tq2_0(Fields f, BlockParts& parts) noexcept {
  read_shared(f.bytes(64), 2, 0, parts.codes);
  parts.scale = f.word();
}

void read_q1_0(Fields f, BlockParts& parts) noexcept {
  parts.scale = f.word();
  const std::uint8_t* bits = f.bytes(16);
  for (std::size_t i = 0; i < 16; ++i) store8(parts.codes + 8 * i, bytes_of_bits(bits[i]));
}

// Reads Q2_0: each byte has four adjacent codes.
void read_q2_0(Fields f, BlockParts& parts) noexcept {
  parts.scale = f.word();
  const std::uint8_t* bytes = f.bytes(16);
  for (std::size_t i = 0; i < 64; ++i) parts.codes[i] = bytes[i / 4] >> i % 4 * 2 & 3;
}

// Reads NVFP4. Ignores the sign of a scale; a scale of NaN is zero.
void read_nvfp4(Fields f, BlockParts& parts) noexcept {
  constexpr std::uint8_t kNaN = 0x7f;
  const std::uint8_t* scales = f.bytes(4);
  for (std::size_t run = 0; run < 4; ++run) {
    parts.run_scales[run] = static_cast<std::int8_t>(scales[run] == kNaN ? 0 : scales[run] & 0x7f);
    read_nibbles(f.bytes(8), 8, parts.codes + run * 16);
  }
}

}  // namespace

void read_block(DType dtype, const std::byte* stored, BlockParts& parts) noexcept {
  const Fields fields(stored);
  switch (dtype) {
    case DType::f32:
    case DType::f16:
    case DType::bf16: return;  // these types are not quantized
    case DType::q8_0: return read_q8_0(fields, parts);
    case DType::q4_0:
    case DType::iq4_nl: return read_legacy(fields, false, false, parts);
    case DType::q4_1: return read_legacy(fields, true, false, parts);
    case DType::q5_0: return read_legacy(fields, false, true, parts);
    case DType::q5_1: return read_legacy(fields, true, true, parts);
    case DType::q2_k: return read_q2_k(fields, parts);
    case DType::q3_k: return read_q3_k(fields, parts);
    case DType::q4_k: return read_q4_k(fields, parts);
    case DType::q5_k: return read_q5_k(fields, parts);
    case DType::q6_k: return read_q6_k(fields, parts);
    case DType::iq4_xs: return read_iq4_xs(fields, parts);
    case DType::mxfp4: return read_mxfp4(fields, parts);
    case DType::tq1_0: return read_tq1_0(fields, parts);
    case DType::tq2_0: return read_tq2_0(fields, parts);
    case DType::iq2_xxs: return read_iq2_xxs(fields, parts);
    case DType::iq2_xs: return read_iq2_xs(fields, parts);
    case DType::iq2_s: return read_iq2_s(fields, parts);
    case DType::iq3_xxs: return read_iq3_xxs(fields, parts);
    case DType::iq3_s: return read_iq3_s(fields, parts);
    case DType::iq1_s: return read_iq1_s(fields, parts);
    case DType::iq1_m: return read_iq1_m(fields, parts);
    case DType::q1_0: return read_q1_0(fields, parts);
    case DType::q2_0: return read_q2_0(fields, parts);
    case DType::nvfp4: return read_nvfp4(fields, parts);
  }
}

}  // namespace heed
