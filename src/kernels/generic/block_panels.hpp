// Quantised weights: int8 activations times small integer codes, one exact integer dot product a block of 32 k, one
// float multiply and add a block.
//
// A panel is, for each block of 32 k, eight groups of 4 k; in a group each of the P rows has four codes in turn, so that
// four activations, splat, meet a vector of rows at once and no sum crosses lanes. Codes of fewer than eight bits lie in
// planes in which several groups share a byte. Scales follow the codes of the whole panel.
#pragma once

#include <bit>
#include <cstring>

#include "kernels/generic/block_layout.hpp"
#include "kernels/generic/wide.hpp"
#include "kernels/kernels.hpp"
#include "tensor/half.hpp"

namespace heed::kernels::generic {

inline constexpr std::size_t kBlock = 32;  // k that share an activation scale
inline constexpr std::size_t kGroup = 4;   // k of one lane of a dot product
inline constexpr std::size_t kGroups = kBlock / kGroup;

/// kBits bits of each code of a block: kBits vectors of bytes for every vector of rows, where group g has bits
/// g / kBits * kBits and up of the bytes of vector g % kBits.
template <class Isa, std::size_t kBits>
struct Plane {
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  static constexpr std::size_t kBytes = kBits * kGroup * P;

  /// The bits of group g for the rows of vector v, moved up by `up`. All are constants where it is called.
  static typename Isa::Bytes load(const std::byte* plane, std::size_t g, std::size_t v, std::size_t up) {
    const auto bytes = Isa::load_bytes(plane + (g % kBits * kPanelVectors + v) * kGroup * Isa::kLanes);
    if constexpr (kBits == 8) return bytes;
    const auto mask = Isa::splat_byte(static_cast<std::uint8_t>(((1u << kBits) - 1) << up));
    return Isa::and_(moved(bytes, static_cast<int>(up) - static_cast<int>(g / kBits * kBits)), mask);
  }

  static void put(std::byte* plane, std::size_t k, std::size_t lane, unsigned bits) {
    plane[place(k, lane)] |= static_cast<std::byte>((bits & ((1u << kBits) - 1)) << shift(k));
  }
  static unsigned get(const std::byte* plane, std::size_t k, std::size_t lane) {
    return static_cast<unsigned>(plane[place(k, lane)]) >> shift(k) & ((1u << kBits) - 1);
  }

 private:
  static std::size_t place(std::size_t k, std::size_t lane) {
    return (k / kGroup % kBits * P + lane) * kGroup + k % kGroup;
  }
  static std::size_t shift(std::size_t k) { return k / kGroup / kBits * kBits; }

  /// Shifted left by n bits, right for a negative n.
  static typename Isa::Bytes moved(typename Isa::Bytes bytes, int n) {
    switch (n) {
      case -7: return Isa::template shift_right_16<7>(bytes);
      case -6: return Isa::template shift_right_16<6>(bytes);
      case -5: return Isa::template shift_right_16<5>(bytes);
      case -4: return Isa::template shift_right_16<4>(bytes);
      case -3: return Isa::template shift_right_16<3>(bytes);
      case -2: return Isa::template shift_right_16<2>(bytes);
      case -1: return Isa::template shift_right_16<1>(bytes);
      case 1: return Isa::template shift_left_16<1>(bytes);
      case 2: return Isa::template shift_left_16<2>(bytes);
      case 3: return Isa::template shift_left_16<3>(bytes);
      case 4: return Isa::template shift_left_16<4>(bytes);
      default: return bytes;
    }
  }
};

/// Where the parts of a panel lie. `columns` is a multiple of the type's block.
template <class Isa, DType kType>
struct PanelParts {
  static constexpr BlockLayout kLayout = block_layout(kType);
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  static constexpr bool kHasHigh = kLayout.high_bits > 0, kHasRuns = kLayout.run > 0;
  using Low = Plane<Isa, kLayout.low_bits>;
  using High = Plane<Isa, kHasHigh ? kLayout.high_bits : 1>;

  static constexpr std::size_t kCodeBytes = Low::kBytes + (kHasHigh ? High::kBytes : 0);  // of a block of 32 k
  static constexpr std::size_t kScaleBytes = kLayout.exponent ? 1 : 2;

  // [columns / 32] codes, then [columns / span][P] scales, the same of minimums, [columns / run][P] int8 run scales, and
  // the same of run minimums
  static std::size_t scales(std::size_t columns) { return columns / kBlock * kCodeBytes; }
  static std::size_t minimums(std::size_t columns) {
    return scales(columns) + columns / kLayout.scale_span * P * kScaleBytes;
  }
  static std::size_t run_scales(std::size_t columns) {
    return minimums(columns) + (kLayout.minimum ? columns / kLayout.scale_span * P * 2 : 0);
  }
  static std::size_t run_minimums(std::size_t columns) {
    return run_scales(columns) + (kHasRuns ? columns / kRun * P : 0);
  }
  static std::size_t bytes(std::size_t columns) {
    return run_minimums(columns) + (kHasRuns && kLayout.minimum ? columns / kRun * P : 0);
  }
  static constexpr std::size_t kRun = kHasRuns ? kLayout.run : kBlock;
};

template <class Isa, DType kType>
struct BlockPanels {
  using Parts = PanelParts<Isa, kType>;
  static constexpr BlockLayout kLayout = Parts::kLayout;
  static constexpr std::size_t P = Parts::P;
  static constexpr std::size_t kRun = Parts::kRun;
  static constexpr std::size_t kRuns = kBlock / kRun;  // of a block
  static constexpr bool kSigned = has_signed_weights(kType);
  /// What a dot product has too much for each activation.
  static constexpr int kOffset = kSigned ? Isa::kSignedBias : kLayout.offset;

  static std::size_t panel_bytes(std::size_t columns) { return Parts::bytes(columns); }

  static void pack(std::byte* panel, std::size_t columns, std::size_t lane, const std::byte* stored) {
    const DTypeInfo& type = info(kType);
    for (std::size_t at = 0; at < columns; at += type.block_values, stored += type.block_bytes) {
      BlockParts parts;
      read_block(kType, stored, parts);
      for (std::size_t i = 0; i < type.block_values; ++i) {
        std::byte* block = panel + (at + i) / kBlock * Parts::kCodeBytes;
        const unsigned code = kLayout.low_bits == 8 ? parts.codes[i] + static_cast<unsigned>(Isa::kSignedBias)
                                                    : parts.codes[i];
        Parts::Low::put(block, i % kBlock, lane, code);
        if constexpr (Parts::kHasHigh)
          Parts::High::put(block + Parts::Low::kBytes, i % kBlock, lane, code >> kLayout.low_bits);
      }
      const std::size_t span = at / kLayout.scale_span * P + lane;
      std::memcpy(panel + Parts::scales(columns) + span * Parts::kScaleBytes, &parts.scale, Parts::kScaleBytes);
      if constexpr (kLayout.minimum) std::memcpy(panel + Parts::minimums(columns) + span * 2, &parts.minimum, 2);
      for (std::size_t run = 0; Parts::kHasRuns && run < type.block_values / kRun; ++run) {
        const std::size_t place = (at / kRun + run) * P + lane;
        panel[Parts::run_scales(columns) + place] = static_cast<std::byte>(parts.run_scales[run]);
        if constexpr (kLayout.minimum)
          panel[Parts::run_minimums(columns) + place] = static_cast<std::byte>(parts.run_minimums[run]);
      }
    }
  }

  static void unpack(const std::byte* panel, std::size_t columns, std::size_t lane, float* out) {
    for (std::size_t k = 0; k < columns; ++k) {
      const std::byte* block = panel + k / kBlock * Parts::kCodeBytes;
      unsigned code = Parts::Low::get(block, k % kBlock, lane);
      if constexpr (Parts::kHasHigh)
        code |= Parts::High::get(block + Parts::Low::kBytes, k % kBlock, lane) << kLayout.low_bits;

      const std::size_t span = k / kLayout.scale_span * P + lane, run = k / kRun * P + lane;
      float scale = scale_value(panel + Parts::scales(columns) + span * Parts::kScaleBytes);
      if constexpr (Parts::kHasRuns)
        scale *= static_cast<float>(static_cast<std::int8_t>(panel[Parts::run_scales(columns) + run]));
      out[k] = scale * static_cast<float>(number(code));
      if constexpr (kLayout.minimum) {
        float minimum = scale_value(panel + Parts::minimums(columns) + span * 2);
        if constexpr (Parts::kHasRuns)
          minimum *= static_cast<float>(static_cast<std::int8_t>(panel[Parts::run_minimums(columns) + run]));
        out[k] -= minimum;
      }
    }
  }

  /// sums[v][t] = rows of vector v of the panel times token t: block by block, in order.
  template <std::size_t kTokens>
  static void tile(const std::byte* panel, const MatmulInput& x, std::size_t token,
                   typename Isa::F32 (&sums)[kPanelVectors][kTokens]) {
    const std::byte* codes = panel;
    const std::byte* activations = x.quantised + quantised_bytes(token, x.columns);
    for (auto& row : sums)
      for (auto& sum : row) sum = Isa::splat(0.0f);

    for (std::size_t b = 0; b < x.columns / kBlock; ++b) {
      const auto* scales = reinterpret_cast<const float*>(activations + kTokens * kBlock);
      const auto* halves = reinterpret_cast<const std::int32_t*>(scales + kTokens);  // minus sums of 16 and of 32
      typename Isa::I32 totals[kPanelVectors][kTokens], minimums[kPanelVectors][kTokens];
#pragma GCC unroll 2
      for (std::size_t run = 0; run < kRuns; ++run) {
        const std::size_t place = b * kRuns + run;
        typename Isa::I32 negative_sums[kTokens];
        typename Isa::Dot dots[kPanelVectors][kTokens];
#pragma GCC unroll 4
        for (std::size_t t = 0; t < kTokens; ++t) {
          negative_sums[t] = run_sum<kTokens>(halves + t, run);
#pragma GCC unroll 2
          for (std::size_t v = 0; v < kPanelVectors; ++v) dots[v][t] = Isa::dot_start(offset(negative_sums[t]));
        }
#pragma GCC unroll 8
        for (std::size_t g = run * (kGroups / kRuns); g < (run + 1) * (kGroups / kRuns); ++g) {
          typename Isa::Bytes a[kTokens];
#pragma GCC unroll 4
          for (std::size_t t = 0; t < kTokens; ++t) a[t] = Isa::splat_group(activations + (g * kTokens + t) * kGroup);
#pragma GCC unroll 2
          for (std::size_t v = 0; v < kPanelVectors; ++v) {
            const auto w = weights(codes, g, v);
#pragma GCC unroll 4
            for (std::size_t t = 0; t < kTokens; ++t)
              dots[v][t] = kSigned ? Isa::dot_i8(dots[v][t], a[t], w) : Isa::dot_u7(dots[v][t], a[t], w);
          }
        }
#pragma GCC unroll 2
        for (std::size_t v = 0; v < kPanelVectors; ++v) {
#pragma GCC unroll 4
          for (std::size_t t = 0; t < kTokens; ++t) {
            auto total = Isa::dot_sum(dots[v][t]), minimum = negative_sums[t];
            if constexpr (Parts::kHasRuns) {
              total = Isa::mul(total, run_vector(panel + Parts::run_scales(x.columns), place, v));
              if constexpr (kLayout.minimum)
                minimum = Isa::mul(minimum, run_vector(panel + Parts::run_minimums(x.columns), place, v));
            }
            totals[v][t] = run == 0 ? total : Isa::add(totals[v][t], total);
            minimums[v][t] = run == 0 ? minimum : Isa::add(minimums[v][t], minimum);
          }
        }
      }
      const std::size_t span = b * kBlock / kLayout.scale_span;
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kPanelVectors; ++v) {
        const auto scale = scale_vector(panel + Parts::scales(x.columns), span, v);
#pragma GCC unroll 4
        for (std::size_t t = 0; t < kTokens; ++t) {
          const auto total = Isa::to_f32(totals[v][t]);
          if constexpr (kLayout.minimum) {
            const auto minimum = half_vector(panel + Parts::minimums(x.columns), span, v);
            const auto both = Isa::add(Isa::mul(total, scale), Isa::mul(Isa::to_f32(minimums[v][t]), minimum));
            sums[v][t] = Isa::add(sums[v][t], Isa::mul(both, Isa::splat(scales[t])));
          } else {
            sums[v][t] = Isa::add(sums[v][t], Isa::mul(total, Isa::mul(scale, Isa::splat(scales[t]))));
          }
        }
      }
      codes += Parts::kCodeBytes;
      activations += quantised_bytes(kTokens, kBlock);
    }
  }

 private:
  // one value

  static int number(unsigned code) {
    if constexpr (kLayout.table != nullptr) return kLayout.table[code];
    else if constexpr (kLayout.low_bits == 8) return static_cast<std::int8_t>(code - static_cast<unsigned>(Isa::kSignedBias));
    else return static_cast<int>(code) - kLayout.offset;
  }
  static float scale_value(const std::byte* at) {
    if constexpr (kLayout.exponent) return power_of_two(static_cast<std::int32_t>(*at));
    std::uint16_t half;
    std::memcpy(&half, at, sizeof half);
    return f16_to_f32(half);
  }
  static float power_of_two(std::int32_t biased) {
    const float power = std::bit_cast<float>(biased << 23);
    return (0x1p-127f < power ? power : 0x1p-127f) * 0.5f;
  }

  // one vector of rows

  static typename Isa::Bytes weights(const std::byte* block, std::size_t g, std::size_t v) {
    auto code = Parts::Low::load(block, g, v, 0);
    if constexpr (Parts::kHasHigh)
      code = Isa::or_(code, Parts::High::load(block + Parts::Low::kBytes, g, v, kLayout.low_bits));
    if constexpr (kLayout.table != nullptr) return Isa::look_up(kLayout.table, code);
    else return code;
  }
  static typename Isa::I32 run_vector(const std::byte* runs, std::size_t run, std::size_t v) {
    return Isa::load_i8_as_i32(reinterpret_cast<const std::int8_t*>(runs) + run * P + v * Isa::kLanes);
  }
  static typename Isa::F32 half_vector(const std::byte* halves, std::size_t span, std::size_t v) {
    return Isa::load_f16(reinterpret_cast<const std::uint16_t*>(halves) + span * P + v * Isa::kLanes);
  }
  /// Powers of two are kept as their exponent e, for 2^(e - 128): half of what the bits of a float say, with the least
  /// of them, 2^-127, not quite zero.
  static typename Isa::F32 scale_vector(const std::byte* scales, std::size_t span, std::size_t v) {
    if constexpr (kLayout.exponent) {
      const auto* exponents = reinterpret_cast<const std::uint8_t*>(scales) + span * P + v * Isa::kLanes;
      const auto power = Isa::from_bits(Isa::template shift_left<23>(Isa::load_u8_as_i32(exponents)));
      return Isa::mul(Isa::max(Isa::splat(0x1p-127f), power), Isa::splat(0.5f));
    } else {
      return half_vector(scales, span, v);
    }
  }

  // the activations' sums

  /// Minus the sum of the activations of a run; halves[0] is that of the first 16, halves[kTokens] that of all 32.
  template <std::size_t kTokens>
  static typename Isa::I32 run_sum(const std::int32_t* halves, std::size_t run) {
    return Isa::splat_i32(kRuns == 1 ? halves[kTokens] : run == 0 ? halves[0] : halves[kTokens] - halves[0]);
  }
  static typename Isa::I32 offset(typename Isa::I32 negative_sum) {
    static_assert(kOffset == 0 || std::has_single_bit(static_cast<unsigned>(kOffset)));
    if constexpr (kOffset == 0) return Isa::splat_i32(0);
    else return Isa::template shift_left<std::countr_zero(static_cast<unsigned>(kOffset))>(negative_sum);
  }
};

}  // namespace heed::kernels::generic
