#include "tensor/codebook_blocks.hpp"

#include <bit>

#include "tensor/codebooks.hpp"

namespace heed {
namespace {

// The index of the sign bit in codes of 3 and of 4 bits; the lower bits are the level.
constexpr int kSignOf3 = 2, kSignOf4 = 3;

/// The odd number 2 n + 1 that a stored scale n stands for.
std::int8_t odd(unsigned scale) noexcept { return static_cast<std::int8_t>(2 * scale + 1); }

/// Restores the last of eight signs, which is not stored: the number of minus signs is even.
std::uint8_t eight_signs(unsigned seven) noexcept {
  seven &= 127;
  return static_cast<std::uint8_t>(seven | static_cast<unsigned>(std::popcount(seven)) % 2 << 7);
}

std::uint64_t signed_codes(std::uint64_t levels, std::uint8_t signs, int sign_at) noexcept {
  return levels | bytes_of_bits(signs) << sign_at;
}

/// Reads four groups of seven sign bits and, in the bits above them, a scale.
unsigned signs_and_scale(Fields& f) noexcept {
  const unsigned low = f.word();
  return low | static_cast<unsigned>(f.word()) << 16;
}

}  // namespace

void read_iq2_xxs(Fields f, BlockParts& parts) noexcept {
  const auto book = codebook(Codebook::iq2_xxs);
  parts.scale = f.word();
  std::uint8_t* codes = parts.codes;
  for (std::size_t run = 0; run < 8; ++run) {
    const std::uint8_t* indices = f.bytes(4);
    const unsigned signs = signs_and_scale(f);
    parts.run_scales[run] = odd(signs >> 28);
    for (std::size_t i = 0; i < 4; ++i, codes += 8)
      store8(codes, signed_codes(book[indices[i]], eight_signs(signs >> 7 * i), kSignOf3));
  }
}

void read_iq2_xs(Fields f, BlockParts& parts) noexcept {
  const auto book = codebook(Codebook::iq2_xs);
  parts.scale = f.word();
  for (std::size_t i = 0; i < 32; ++i) {
    const unsigned word = f.word();
    store8(parts.codes + 8 * i, signed_codes(book[word % 512], eight_signs(word >> 9), kSignOf3));
  }
  const std::uint8_t* scales = f.bytes(8);
  for (std::size_t run = 0; run < 16; ++run) parts.run_scales[run] = odd(scales[run / 2] >> run % 2 * 4 & 15u);
}

void read_iq2_s(Fields f, BlockParts& parts) noexcept {
  const auto book = codebook(Codebook::iq2_s);
  parts.scale = f.word();
  const std::uint8_t *low = f.bytes(32), *signs = f.bytes(32), *high = f.bytes(8), *scales = f.bytes(8);
  for (std::size_t i = 0; i < 32; ++i) {
    const unsigned index = low[i] | (high[i / 4] >> i % 4 * 2 & 3u) << 8;
    store8(parts.codes + 8 * i, signed_codes(book[index], signs[i], kSignOf3));
  }
  for (std::size_t run = 0; run < 16; ++run) parts.run_scales[run] = odd(scales[run / 2] >> run % 2 * 4 & 15u);
}

// The levels and the unit of the scale of IQ3 differ from those of IQ2; run scales contain a factor that makes up for both.

void read_iq3_xxs(Fields f, BlockParts& parts) noexcept {
  const auto book = codebook(Codebook::iq3_xxs);
  parts.scale = f.word();
  const std::uint8_t* indices = f.bytes(64);
  std::uint8_t* codes = parts.codes;
  for (std::size_t run = 0; run < 8; ++run) {
    const unsigned signs = signs_and_scale(f);
    parts.run_scales[run] = static_cast<std::int8_t>(odd(signs >> 28) * 2);
    for (std::size_t i = 0; i < 4; ++i, codes += 8, indices += 2)
      store8(codes, signed_codes(book[indices[0]] | book[indices[1]] << 32, eight_signs(signs >> 7 * i), kSignOf4));
  }
}

void read_iq3_s(Fields f, BlockParts& parts) noexcept {
  const auto book = codebook(Codebook::iq3_s);
  parts.scale = f.word();
  const std::uint8_t *low = f.bytes(64), *high = f.bytes(8), *signs = f.bytes(32), *scales = f.bytes(4);
  const auto levels = [&](std::size_t i) { return book[low[i] | (high[i / 8] >> i % 8 & 1u) << 8]; };
  for (std::size_t i = 0; i < 32; ++i)
    store8(parts.codes + 8 * i, signed_codes(levels(2 * i) | levels(2 * i + 1) << 32, signs[i], kSignOf4));
  for (std::size_t run = 0; run < 8; ++run)
    parts.run_scales[run] = static_cast<std::int8_t>(odd(scales[run / 2] >> run % 2 * 4 & 15u) * 4);
}

// IQ1 has no signs; one bit per group adds an eighth to all its levels, or subtracts it.

void read_iq1_s(Fields f, BlockParts& parts) noexcept {
  const auto book = codebook(Codebook::iq1);
  parts.scale = f.word();
  const std::uint8_t* low = f.bytes(32);
  for (std::size_t run = 0; run < 8; ++run) {
    const unsigned word = f.word();
    parts.run_scales[run] = odd(word >> 12 & 7);
    for (std::size_t i = 0; i < 4; ++i) {
      const unsigned index = low[run * 4 + i] | (word >> 3 * i & 7) << 8;
      store8(parts.codes + run * 32 + i * 8, book[index] | kEach * (word >> 15) << kSignOf3);
    }
  }
}

void read_iq1_m(Fields f, BlockParts& parts) noexcept {
  const auto book = codebook(Codebook::iq1);
  const std::uint8_t *low = f.bytes(32), *high = f.bytes(16);
  for (std::size_t i = 0; i < 32; ++i) {
    const unsigned nibble = high[i / 2] >> i % 2 * 4 & 15u;
    const unsigned index = low[i] | (nibble & 7) << 8;
    store8(parts.codes + 8 * i, book[index] | kEach * (nibble >> 3) << kSignOf3);
  }
  unsigned scale = 0;  // its bits are the upper four bits of four words, whose other bits are run scales
  for (std::size_t i = 0; i < 4; ++i) {
    const unsigned word = f.word();
    scale |= word >> 12 << 4 * i;
    for (std::size_t j = 0; j < 4; ++j) parts.run_scales[4 * i + j] = odd(word >> 3 * j & 7);
  }
  parts.scale = static_cast<std::uint16_t>(scale);
}

}  // namespace heed
