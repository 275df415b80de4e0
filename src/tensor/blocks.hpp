// Quantised blocks as GGUF files store them, byte for byte. Layouts: ggml's ggml-common.h; Q6_K: llama.cpp pull 1684.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heed {

/// value[i] = scale * code[i]
struct BlockQ8_0 {
  std::uint16_t scale;  // f16
  std::int8_t codes[32];
};
static_assert(sizeof(BlockQ8_0) == 34);

/// value[i] = scale * (nibble[i] - 8); byte i holds nibble i below and nibble i + 16 above
struct BlockQ4_0 {
  std::uint16_t scale;  // f16
  std::uint8_t nibbles[16];
};
static_assert(sizeof(BlockQ4_0) == 18);

/// value[i] = scale * scales[i / 16] * (code[i] - 32), code of 6 bits: 4 in `low`, 2 in `high`
struct BlockQ6_K {
  std::uint8_t low[128];
  std::uint8_t high[64];
  std::int8_t scales[16];
  std::uint16_t scale;  // f16

  /// The 6-bit code of value i in [0, 256): two halves of 128 values, each as four runs of 32 that share bytes.
  [[gnu::always_inline]] std::uint8_t code(std::size_t i) const noexcept {
    const std::size_t half = i / 128, run = i % 128 / 32, k = i % 32;
    const unsigned nibble = low[half * 64 + run % 2 * 32 + k] >> (run / 2 * 4) & 15u;
    const unsigned top = high[half * 32 + k] >> (run * 2) & 3u;
    return static_cast<std::uint8_t>(nibble | top << 4);
  }
};
static_assert(sizeof(BlockQ6_K) == 210);

}  // namespace heed
