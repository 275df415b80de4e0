// Quantised weights: int8 activations times small integer codes, one exact integer dot product a block of 32 k, one
// float multiply and add a block.
//
// A panel is, for each block of 32 k, eight groups of 4 k; in a group each of the P rows has four codes in turn, so that
// four activations, splat, meet a vector of rows at once and no sum crosses lanes. Scales follow the codes of the whole panel.
#pragma once

#include <bit>
#include <cstring>

#include "kernels/kernels.hpp"
#include "tensor/blocks.hpp"
#include "tensor/half.hpp"

namespace heed::kernels::generic {

inline constexpr std::size_t kBlock = 32;  // k that share an activation scale
inline constexpr std::size_t kGroup = 4;   // k of one lane of a dot product

static inline void put_f16(std::byte* p, std::uint16_t half) { std::memcpy(p, &half, sizeof half); }
static inline float get_f16(const std::byte* p) {
  std::uint16_t half;
  std::memcpy(&half, p, sizeof half);
  return f16_to_f32(half);
}

/// Where a group of a block, and a vector of rows in it, begin.
template <class Isa>
constexpr std::size_t group_place(std::size_t g, std::size_t v) {
  return (g * kPanelVectors + v) * kGroup * Isa::kLanes;
}

/// Four bits of each code, where k and k + 16 share a byte.
template <class Isa>
typename Isa::Bytes nibbles(const std::byte* block, std::size_t g, std::size_t v) {
  const auto pair = Isa::load_bytes(block + group_place<Isa>(g % 4, v));
  return Isa::and_(g < 4 ? pair : Isa::template shift_right_16<4>(pair), Isa::splat_byte(15));
}

/// Eight bits: BlockQ8_0.
template <class Isa>
struct Q8_0Weights {
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  static constexpr std::size_t kCodeBytes = kBlock * P;  // of one block of a panel
  static constexpr std::size_t kRun = kBlock;            // k that share an integer scale
  static constexpr int kOffset = Isa::kSignedBias;       // what a stored code has too much

  static std::size_t scale_bytes(std::size_t columns) { return columns / kBlock * P * 2; }

  /// Codes of group g, vector v: both constants where it is called, in unrolled loops.
  static typename Isa::Bytes codes(const std::byte* block, std::size_t g, std::size_t v) {
    return Isa::load_bytes(block + group_place<Isa>(g, v));
  }
  static typename Isa::Dot dot(typename Isa::Dot acc, typename Isa::Bytes a, typename Isa::Bytes w) {
    return Isa::dot_i8(acc, a, w);
  }
  static typename Isa::F32 scale(const std::byte* scales, std::size_t block, std::size_t v) {
    return Isa::load_f16(reinterpret_cast<const std::uint16_t*>(scales) + block * P + v * Isa::kLanes);
  }

  static void pack(std::byte* panel, std::size_t columns, std::size_t lane, const std::byte* stored) {
    std::byte* scales = panel + columns / kBlock * kCodeBytes;
    for (std::size_t b = 0; b < columns / kBlock; ++b) {
      BlockQ8_0 block;
      std::memcpy(&block, stored + b * sizeof block, sizeof block);
      for (std::size_t k = 0; k < kBlock; ++k)
        panel[b * kCodeBytes + place(k, lane)] = static_cast<std::byte>(block.codes[k] + Isa::kSignedBias);
      put_f16(scales + (b * P + lane) * 2, block.scale);
    }
  }
  static void unpack(const std::byte* panel, std::size_t columns, std::size_t lane, float* out) {
    const std::byte* scales = panel + columns / kBlock * kCodeBytes;
    for (std::size_t k = 0; k < columns; ++k) {
      const auto stored = static_cast<int>(panel[k / kBlock * kCodeBytes + place(k % kBlock, lane)]);
      const auto code = static_cast<std::int8_t>(stored - Isa::kSignedBias);
      out[k] = get_f16(scales + (k / kBlock * P + lane) * 2) * static_cast<float>(code);
    }
  }

 private:
  static std::size_t place(std::size_t k, std::size_t lane) {
    return k / kGroup * kGroup * P + lane * kGroup + k % kGroup;
  }
};

/// Codes of which the low four bits of k and of k + 16 share a byte: byte places of a block of 32 k.
template <std::size_t P>
static constexpr std::size_t nibble_place(std::size_t k, std::size_t lane) {
  const std::size_t low = k % 16;
  return low / kGroup * kGroup * P + lane * kGroup + low % kGroup;
}

/// Four bits: BlockQ4_0.
template <class Isa>
struct Q4_0Weights {
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  static constexpr std::size_t kCodeBytes = kBlock * P / 2;
  static constexpr std::size_t kRun = kBlock;
  static constexpr int kOffset = 8;

  static std::size_t scale_bytes(std::size_t columns) { return columns / kBlock * P * 2; }

  static typename Isa::Bytes codes(const std::byte* block, std::size_t g, std::size_t v) {
    return nibbles<Isa>(block, g, v);
  }
  static typename Isa::Dot dot(typename Isa::Dot acc, typename Isa::Bytes a, typename Isa::Bytes w) {
    return Isa::dot_u7(acc, a, w);
  }
  static typename Isa::F32 scale(const std::byte* scales, std::size_t block, std::size_t v) {
    return Isa::load_f16(reinterpret_cast<const std::uint16_t*>(scales) + block * P + v * Isa::kLanes);
  }

  static void pack(std::byte* panel, std::size_t columns, std::size_t lane, const std::byte* stored) {
    std::byte* scales = panel + columns / kBlock * kCodeBytes;
    for (std::size_t b = 0; b < columns / kBlock; ++b) {
      BlockQ4_0 block;
      std::memcpy(&block, stored + b * sizeof block, sizeof block);
      for (std::size_t k = 0; k < 16; ++k)
        panel[b * kCodeBytes + nibble_place<P>(k, lane)] = static_cast<std::byte>(block.nibbles[k]);
      put_f16(scales + (b * P + lane) * 2, block.scale);
    }
  }
  static void unpack(const std::byte* panel, std::size_t columns, std::size_t lane, float* out) {
    const std::byte* scales = panel + columns / kBlock * kCodeBytes;
    for (std::size_t k = 0; k < columns; ++k) {
      const auto pair = static_cast<unsigned>(panel[k / kBlock * kCodeBytes + nibble_place<P>(k % kBlock, lane)]);
      const int code = static_cast<int>(k % kBlock < 16 ? pair & 15u : pair >> 4) - 8;
      out[k] = get_f16(scales + (k / kBlock * P + lane) * 2) * static_cast<float>(code);
    }
  }
};

/// Six bits with an int8 scale for each 16 and an f16 scale for each 256: BlockQ6_K. A block of 32 k holds the nibbles as
/// Q4_0 does, then the two high bits: the byte of k holds those of k, k + 8, k + 16 and k + 24 from the lowest up.
template <class Isa>
struct Q6_KWeights {
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  static constexpr std::size_t kNibbleBytes = kBlock * P / 2;
  static constexpr std::size_t kCodeBytes = kNibbleBytes + kBlock * P / 4;
  static constexpr std::size_t kRun = 16;
  static constexpr int kOffset = 32;
  static constexpr std::size_t kSuper = 256;

  // after the codes: [columns / 256][P] f16, then [columns / 16][P] int8
  static std::size_t scale_bytes(std::size_t columns) { return columns / kSuper * P * 2 + columns / kRun * P; }
  static std::size_t run_scales_at(std::size_t columns) { return columns / kSuper * P * 2; }

  static typename Isa::Bytes codes(const std::byte* block, std::size_t g, std::size_t v) {
    const auto high = Isa::load_bytes(block + kNibbleBytes + group_place<Isa>(g % 2, v));
    const auto top = g / 2 == 0   ? Isa::template shift_left_16<4>(high)
                     : g / 2 == 1 ? Isa::template shift_left_16<2>(high)
                     : g / 2 == 2 ? high
                                  : Isa::template shift_right_16<2>(high);
    return Isa::or_(nibbles<Isa>(block, g, v), Isa::and_(top, Isa::splat_byte(0x30)));
  }
  static typename Isa::Dot dot(typename Isa::Dot acc, typename Isa::Bytes a, typename Isa::Bytes w) {
    return Isa::dot_u7(acc, a, w);
  }
  static typename Isa::F32 scale(const std::byte* scales, std::size_t block, std::size_t v) {
    return Isa::load_f16(reinterpret_cast<const std::uint16_t*>(scales) + block * kBlock / kSuper * P + v * Isa::kLanes);
  }
  static typename Isa::I32 run_scale(const std::byte* scales, std::size_t columns, std::size_t run, std::size_t v) {
    const auto* run_scales = reinterpret_cast<const std::int8_t*>(scales + run_scales_at(columns));
    return Isa::load_i8_as_i32(run_scales + run * P + v * Isa::kLanes);
  }

  static void pack(std::byte* panel, std::size_t columns, std::size_t lane, const std::byte* stored) {
    std::byte* scales = panel + columns / kBlock * kCodeBytes;
    for (std::size_t s = 0; s < columns / kSuper; ++s) {
      BlockQ6_K block;
      std::memcpy(&block, stored + s * sizeof block, sizeof block);
      put_f16(scales + (s * P + lane) * 2, block.scale);
      for (std::size_t run = 0; run < kSuper / kRun; ++run)
        scales[run_scales_at(columns) + (s * (kSuper / kRun) + run) * P + lane] =
            static_cast<std::byte>(block.scales[run]);
      for (std::size_t i = 0; i < kSuper; ++i) {
        std::byte* codes = panel + (s * kSuper + i) / kBlock * kCodeBytes;
        const std::size_t k = i % kBlock;
        const unsigned code = block.code(i);
        codes[nibble_place<P>(k, lane)] |= static_cast<std::byte>((code & 15u) << (k < 16 ? 0 : 4));
        codes[kNibbleBytes + high_place(k, lane)] |= static_cast<std::byte>(code >> 4 << k / 8 * 2);
      }
    }
  }
  static void unpack(const std::byte* panel, std::size_t columns, std::size_t lane, float* out) {
    const std::byte* scales = panel + columns / kBlock * kCodeBytes;
    for (std::size_t i = 0; i < columns; ++i) {
      const std::byte* codes = panel + i / kBlock * kCodeBytes;
      const std::size_t k = i % kBlock;
      const unsigned nibble = static_cast<unsigned>(codes[nibble_place<P>(k, lane)]) >> (k < 16 ? 0 : 4) & 15u;
      const unsigned top = static_cast<unsigned>(codes[kNibbleBytes + high_place(k, lane)]) >> k / 8 * 2 & 3u;
      const auto run = static_cast<std::int8_t>(scales[run_scales_at(columns) + i / kRun * P + lane]);
      const int code = static_cast<int>(nibble | top << 4) - kOffset;
      out[i] = get_f16(scales + (i / kSuper * P + lane) * 2) * static_cast<float>(run) * static_cast<float>(code);
    }
  }

 private:
  static std::size_t high_place(std::size_t k, std::size_t lane) {
    const std::size_t low = k % 8;
    return low / kGroup * kGroup * P + lane * kGroup + low % kGroup;
  }
};

template <class Isa, class Weights>
struct BlockPanels {
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  static constexpr std::size_t kRuns = kBlock / Weights::kRun, kGroups = Weights::kRun / kGroup;

  static std::size_t panel_bytes(std::size_t columns) {
    return columns / kBlock * Weights::kCodeBytes + Weights::scale_bytes(columns);
  }
  static void pack(std::byte* panel, std::size_t columns, std::size_t lane, const std::byte* stored) {
    Weights::pack(panel, columns, lane, stored);
  }
  static void unpack(const std::byte* panel, std::size_t columns, std::size_t lane, float* out) {
    Weights::unpack(panel, columns, lane, out);
  }

  /// sums[v][t] = rows of vector v of the panel times token t: block by block, in order.
  template <std::size_t kTokens>
  static void tile(const std::byte* panel, const MatmulInput& x, std::size_t token,
                   typename Isa::F32 (&sums)[kPanelVectors][kTokens]) {
    const std::size_t blocks = x.columns / kBlock;
    const std::byte* codes = panel;
    const std::byte* scales = panel + blocks * Weights::kCodeBytes;
    const std::byte* activations = x.quantised + quantised_bytes(token, x.columns);
    for (auto& row : sums)
      for (auto& sum : row) sum = Isa::splat(0.0f);

    for (std::size_t b = 0; b < blocks; ++b) {
      typename Isa::I32 totals[kPanelVectors][kTokens];
#pragma GCC unroll 2
      for (std::size_t run = 0; run < kRuns; ++run) {
        typename Isa::Dot dots[kPanelVectors][kTokens];
#pragma GCC unroll 4
        for (std::size_t t = 0; t < kTokens; ++t) {
          const auto start = offset_sum(reinterpret_cast<const std::int32_t*>(activations + kTokens * (kBlock + 4)) + t, kTokens, run);
#pragma GCC unroll 2
          for (std::size_t v = 0; v < kPanelVectors; ++v) dots[v][t] = Isa::dot_start(start);
        }
#pragma GCC unroll 8
        for (std::size_t g = 0; g < kGroups; ++g) {
          const std::size_t group = run * kGroups + g;
          typename Isa::Bytes a[kTokens];
#pragma GCC unroll 4
          for (std::size_t t = 0; t < kTokens; ++t)
            a[t] = Isa::splat_group(activations + (group * kTokens + t) * kGroup);
#pragma GCC unroll 2
          for (std::size_t v = 0; v < kPanelVectors; ++v) {
            const auto w = Weights::codes(codes, group, v);
#pragma GCC unroll 4
            for (std::size_t t = 0; t < kTokens; ++t) dots[v][t] = Weights::dot(dots[v][t], a[t], w);
          }
        }
#pragma GCC unroll 2
        for (std::size_t v = 0; v < kPanelVectors; ++v) {
#pragma GCC unroll 4
          for (std::size_t t = 0; t < kTokens; ++t) {
            auto total = Isa::dot_sum(dots[v][t]);
            if constexpr (kRuns > 1)
              total = Isa::mul(total, Weights::run_scale(scales, x.columns, b * kRuns + run, v));
            totals[v][t] = run == 0 ? total : Isa::add(totals[v][t], total);
          }
        }
      }
      const auto* activation_scales = reinterpret_cast<const float*>(activations + kTokens * kBlock);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kPanelVectors; ++v) {
        const auto scale = Weights::scale(scales, b, v);
#pragma GCC unroll 4
        for (std::size_t t = 0; t < kTokens; ++t) {
          const auto both = Isa::mul(scale, Isa::splat(activation_scales[t]));
          sums[v][t] = Isa::add(sums[v][t], Isa::mul(Isa::to_f32(totals[v][t]), both));
        }
      }
      codes += Weights::kCodeBytes;
      activations += quantised_bytes(kTokens, kBlock);
    }
  }

 private:
  /// What the dot products of one run start with, because every code has kOffset too much: kOffset times minus the sum
  /// of the activations. halves[0] is that of the first run, halves[kTokens] that of the block.
  static typename Isa::I32 offset_sum(const std::int32_t* halves, std::size_t tokens, std::size_t run) {
    if constexpr (Weights::kOffset == 0) return Isa::splat_i32(0);
    else {
      static_assert(std::has_single_bit(static_cast<unsigned>(Weights::kOffset)));
      const std::int32_t sum = kRuns == 1 ? halves[tokens] : run == 0 ? halves[0] : halves[tokens] - halves[0];
      return Isa::template shift_left<std::countr_zero(static_cast<unsigned>(Weights::kOffset))>(Isa::splat_i32(sum));
    }
  }
};

}  // namespace heed::kernels::generic
