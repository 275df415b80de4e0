// Quantised weights: int8 activations times small integer codes, one exact integer dot product a block of 32 k, one
// float multiply and add a block.
//
// A panel is one stream, span after span of k, so that a product reads it as fast as memory gives it: the scales of P rows
// and then their codes. A span is the k that share a float scale, in blocks of 32; a block is eight groups of 4 k; in a
// group each of the P rows has four codes in turn, so that four activations, splat, meet a vector of rows at once and no
// sum crosses lanes. Codes of fewer than eight bits share bytes (packed_codes.hpp).
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "kernels/generic/block_layout.hpp"
#include "kernels/generic/packed_codes.hpp"
#include "kernels/generic/prefetch.hpp"
#include "kernels/generic/wide.hpp"
#include "kernels/kernels.hpp"
#include "tensor/half.hpp"

namespace heed::kernels::generic {

/// Where the parts of a span lie: P scales, P minimums, [runs][P] int8 run scales, the same of run minimums, and [blocks]
/// codes.
template <class Isa, DType kType>
struct Span {
  static constexpr BlockLayout kLayout = block_layout(kType);
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  static constexpr std::size_t kColumns = kLayout.scale_span;
  static constexpr std::size_t kBlocks = kColumns / kBlock;
  static constexpr bool kHasRuns = kLayout.run > 0;
  static constexpr std::size_t kRun = kHasRuns ? kLayout.run : kBlock;
  using Codes = PackedCodes<Isa, kLayout.bits>;

  static constexpr std::size_t kScaleBytes = kLayout.exponent ? 1 : 2;
  static constexpr std::size_t kMinimums = P * kScaleBytes;
  static constexpr std::size_t kRunScales = kMinimums + (kLayout.minimum ? P * 2 : 0);
  static constexpr std::size_t kRunMinimums = kRunScales + (kHasRuns ? kColumns / kRun * P : 0);
  static constexpr std::size_t kCodes = kRunMinimums + (kHasRuns && kLayout.minimum ? kColumns / kRun * P : 0);
  static constexpr std::size_t kBytes = kCodes + kBlocks * Codes::kBytes;
};

template <class Isa, DType kType>
struct BlockPanels {
  using Page = Isa;
  using Span = generic::Span<Isa, kType>;
  static constexpr BlockLayout kLayout = Span::kLayout;
  static constexpr std::size_t P = Span::P;
  static constexpr std::size_t kRun = Span::kRun;
  static constexpr std::size_t kRuns = kBlock / kRun;  // of a block
  static constexpr bool kSigned = has_signed_weights(kType);
  /// What a dot product has too much for each activation.
  static constexpr int kOffset = kSigned ? Isa::kSignedBias : kLayout.offset;
  /// What codes stand for, and the bias on top.
  static constexpr std::array<std::int8_t, 16> kNumbers = [] {
    std::array<std::int8_t, 16> numbers{};
    for (std::size_t i = 0; kLayout.table != nullptr && i < numbers.size(); ++i)
      numbers[i] = static_cast<std::int8_t>(kLayout.table[i] + Isa::kSignedBias);
    return numbers;
  }();

  static std::size_t panel_bytes(std::size_t columns) { return columns / Span::kColumns * Span::kBytes; }

  static void pack(std::byte* panel, std::size_t columns, std::size_t lane, const std::byte* stored) {
    const DTypeInfo& type = info(kType);
    const std::size_t stored_blocks = columns / type.block_values;
    for (std::size_t i = 0; i < stored_blocks; ++i, stored += type.block_bytes, panel += Span::kBytes) {
      BlockParts parts;
      read_block(kType, stored, parts);
      std::memcpy(panel + lane * Span::kScaleBytes, &parts.scale, Span::kScaleBytes);
      if constexpr (kLayout.minimum) std::memcpy(panel + Span::kMinimums + lane * 2, &parts.minimum, 2);
      for (std::size_t run = 0; Span::kHasRuns && run < Span::kColumns / kRun; ++run) {
        panel[Span::kRunScales + run * P + lane] = static_cast<std::byte>(parts.run_scales[run]);
        if constexpr (kLayout.minimum)
          panel[Span::kRunMinimums + run * P + lane] = static_cast<std::byte>(parts.run_minimums[run]);
      }
      std::byte* block = panel + Span::kCodes;
      constexpr std::uint32_t kFlipped = kLayout.bits == 8 && Isa::kSignedBias != 0 ? 0x80 : 0;  // adds 128
      for (std::size_t b = 0; b < Span::kBlocks; ++b, block += Span::Codes::kBytes) {
        const std::uint8_t* codes = parts.codes + b * kBlock;
        Span::Codes::put(block, lane, codes, kFlipped);
      }
    }
  }

  static void unpack(const std::byte* panel, std::size_t columns, std::size_t lane, float* out) {
    for (std::size_t k = 0; k < columns; ++k) {
      const std::byte* span = panel + k / Span::kColumns * Span::kBytes;
      const std::size_t at = k % Span::kColumns;
      const std::byte* block = span + Span::kCodes + at / kBlock * Span::Codes::kBytes;
      const unsigned code = Span::Codes::get(block, at % kBlock, lane);

      const std::size_t run = at / kRun * P + lane;
      float scale = scale_value(span + lane * Span::kScaleBytes);
      if constexpr (Span::kHasRuns)
        scale *= static_cast<float>(static_cast<std::int8_t>(span[Span::kRunScales + run]));
      out[k] = scale * static_cast<float>(number(code));
      if constexpr (kLayout.minimum) {
        float minimum = scale_value(span + Span::kMinimums + lane * 2);
        if constexpr (Span::kHasRuns)
          minimum *= static_cast<float>(static_cast<std::int8_t>(span[Span::kRunMinimums + run]));
        out[k] -= minimum;
      }
    }
  }

  /// Whether codes have to be made bytes before a dot product; then tiles of several tokens share that work.
  static constexpr bool kExpands = kLayout.bits != 8;
  /// Whether a few tokens unpack them where they lie: only the types that most models come in, as each makes every module
  /// larger by some 2 KB a target.
  static constexpr bool kUnpacksInTiles = kType == DType::q4_0 || kType == DType::q4_k || kType == DType::q6_k;
  static constexpr std::size_t kExpandedBytes = kBlock * P;  // of a block: [group][row][4], as codes of eight bits lie

  static void expand(const std::byte* panel, std::size_t columns, std::byte* expanded) {
    const std::byte* end = panel + panel_bytes(columns);
    for (const std::byte* span = panel; span != end; span += Span::kBytes) {
      const std::byte* codes = span + Span::kCodes;
      for (std::size_t b = 0; b < Span::kBlocks; ++b, codes += Span::Codes::kBytes, expanded += kExpandedBytes) {
#pragma clang loop unroll(full)
        for (std::size_t g = 0; g < kGroups; ++g) {
#pragma clang loop unroll(full)
          for (std::size_t v = 0; v < kPanelVectors; ++v) {
            const auto bytes = weights(codes, g, v);
            std::memcpy(expanded + (g * kPanelVectors + v) * sizeof bytes, &bytes, sizeof bytes);
          }
        }
      }
    }
  }

  /// sums[v][t] = rows of vector v (those of each panel in turn) times token t: block by block, in order. kExpanded: codes are
  /// read from `expanded`, and weights have just been read.
  template <std::size_t kTokens, std::size_t kPanels, bool kExpanded>
  static void tile(const std::byte* const (&panels)[kPanels], const std::byte* expanded, const MatmulInput& x,
                   std::size_t token, typename Isa::F32 (&sums)[kPanels * kPanelVectors][kTokens]) {
    static_assert(!kExpanded || kPanels == 1);
    constexpr std::size_t kVectors = kPanels * kPanelVectors;
    const std::byte* activations = x.quantised + quantised_bytes(token, x.columns);
    for (auto& row : sums)
      for (auto& sum : row) sum = Isa::splat(0.0f);

    const std::size_t bytes = panel_bytes(x.columns);
    for (std::size_t at = 0; at != bytes; at += Span::kBytes) {
      typename Isa::F32 scales[kVectors], minimums[kVectors] = {};
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::byte* span = panels[v / kPanelVectors] + at;
        if constexpr (!kExpanded)
          if (v % kPanelVectors == 0) prefetch_ahead<Span::kCodes>(span);
        scales[v] = scale_vector(span, v);
        if constexpr (kLayout.minimum) minimums[v] = half_vector(span + Span::kMinimums, v);
      }
      for (std::size_t b = 0; b < Span::kBlocks; ++b, activations += quantised_bytes(kTokens, kBlock)) {
        if constexpr (kPanels > Isa::kPanelsAtOnce) {
          for_each_panel<kPanels>([&](auto p) {
            constexpr std::size_t kFirst = p * kPanelVectors, kLast = kFirst + kPanelVectors;
            add_block<kFirst, kLast, kExpanded>(panels, at, b, expanded, scales, minimums, activations, sums);
          });
        } else {
          add_block<0, kVectors, kExpanded>(panels, at, b, expanded, scales, minimums, activations, sums);
        }
        if constexpr (kExpanded) expanded += kExpandedBytes;
      }
    }
  }

 private:
  template <std::size_t kPanels, class F>
  static void for_each_panel(F f) {
    [&]<std::size_t... p>(std::index_sequence<p...>) {
      (f(std::integral_constant<std::size_t, p>{}), ...);
    }(std::make_index_sequence<kPanels>{});
  }

  /// Adds block b of the spans at `at`, for vectors [kFirst, kLast), times kTokens activations of it. Where a block has
  /// one run, its scale is multiplied into the float scale, which is exact (11 bits times 7); where it has two, into the
  /// integer sums.
  template <std::size_t kFirst, std::size_t kLast, bool kExpanded, std::size_t kTokens, std::size_t kPanels,
            std::size_t kVectors>
  [[gnu::always_inline]] static void add_block(const std::byte* const (&panels)[kPanels], std::size_t at, std::size_t b,
                                               const std::byte* expanded,
                                               const typename Isa::F32 (&scales)[kVectors],
                                               const typename Isa::F32 (&minimums)[kVectors],
                                               const std::byte* activations,
                                               typename Isa::F32 (&sums)[kVectors][kTokens]) {
    const auto span = [&](std::size_t v) { return panels[v / kPanelVectors] + at; };
    const auto codes = [&](std::size_t v) { return span(v) + Span::kCodes + b * Span::Codes::kBytes; };
    const auto load_runs = [&](std::size_t run, auto& run_scales, auto& run_minimums) {
#pragma clang loop unroll(full)
      for (std::size_t v = kFirst; v < kLast; v += kPanelVectors) {
        const auto* values = reinterpret_cast<const std::int8_t*>(span(v)) + run * P;
        Isa::load_i8_as_i32(values + Span::kRunScales, run_scales[v], run_scales[v + 1]);
        if constexpr (kLayout.minimum)
          Isa::load_i8_as_i32(values + Span::kRunMinimums, run_minimums[v], run_minimums[v + 1]);
      }
    };
    if constexpr (!kExpanded)
      for (std::size_t v = kFirst; v < kLast; v += kPanelVectors) prefetch_ahead<Span::Codes::kBytes>(codes(v));
    const auto* steps = reinterpret_cast<const float*>(activations + kTokens * kBlock);
    const auto* halves = reinterpret_cast<const std::int32_t*>(steps + kTokens);  // minus sums of 16 and of 32
    typename Isa::I32 totals[kVectors][kTokens], offsets[kVectors][kTokens];
#pragma clang loop unroll(full)
    for (std::size_t run = 0; run < kRuns; ++run) {
      typename Isa::I32 negative_sums[kTokens];
      typename Isa::Dot dots[kVectors][kTokens];
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        negative_sums[t] = run_sum<kTokens>(halves + t, run);
#pragma clang loop unroll(full)
        for (std::size_t v = kFirst; v < kLast; ++v) dots[v][t] = Isa::dot_start(offset(negative_sums[t]));
      }
#pragma clang loop unroll(full)
      for (std::size_t g = run * (kGroups / kRuns); g < (run + 1) * (kGroups / kRuns); ++g) {
        typename Isa::Bytes a[kTokens];
#pragma clang loop unroll(full)
        for (std::size_t t = 0; t < kTokens; ++t) a[t] = Isa::splat_group(activations + (g * kTokens + t) * kGroup);
#pragma clang loop unroll(full)
        for (std::size_t v = kFirst; v < kLast; ++v) {
          const auto w = kExpanded ? expanded_weights(expanded, g, v) : weights(codes(v), g, v);
#pragma clang loop unroll(full)
          for (std::size_t t = 0; t < kTokens; ++t) dots[v][t] = dot(dots[v][t], a[t], w);
        }
      }
      typename Isa::I32 run_scales[kVectors], run_minimums[kVectors];
      if constexpr (kRuns > 1) load_runs(b * kRuns + run, run_scales, run_minimums);
#pragma clang loop unroll(full)
      for (std::size_t v = kFirst; v < kLast; ++v) {
#pragma clang loop unroll(full)
        for (std::size_t t = 0; t < kTokens; ++t) {
          auto total = Isa::dot_sum(dots[v][t]), minimum = negative_sums[t];
          if constexpr (kRuns > 1) {
            total = Isa::mul(total, run_scales[v]);
            if constexpr (kLayout.minimum) minimum = Isa::mul(minimum, run_minimums[v]);
          }
          totals[v][t] = run == 0 ? total : Isa::add(totals[v][t], total);
          offsets[v][t] = run == 0 ? minimum : Isa::add(offsets[v][t], minimum);
        }
      }
    }
    typename Isa::I32 run_scales[kVectors], run_minimums[kVectors];
    if constexpr (Span::kHasRuns && kRuns == 1) load_runs(b, run_scales, run_minimums);
#pragma clang loop unroll(full)
    for (std::size_t v = kFirst; v < kLast; ++v) {
      auto scale = scales[v], minimum = minimums[v];
      if constexpr (Span::kHasRuns && kRuns == 1) {
        scale = Isa::mul(scale, Isa::to_f32(run_scales[v]));
        if constexpr (kLayout.minimum) minimum = Isa::mul(minimum, Isa::to_f32(run_minimums[v]));
      }
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        const auto total = Isa::to_f32(totals[v][t]), step = Isa::splat(steps[t]);
        if constexpr (kLayout.minimum) {
          const auto both = Isa::add(Isa::mul(total, scale), Isa::mul(Isa::to_f32(offsets[v][t]), minimum));
          sums[v][t] = Isa::add(sums[v][t], Isa::mul(both, step));
        } else {
          sums[v][t] = Isa::add(sums[v][t], Isa::mul(total, Isa::mul(scale, step)));
        }
      }
    }
  }

  // one value

  static int number(unsigned code) {
    if constexpr (kLayout.table != nullptr) return kLayout.table[code];
    else if constexpr (kLayout.bits == 8) return static_cast<std::int8_t>(code - static_cast<unsigned>(Isa::kSignedBias));
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

  // one vector of rows, of any panel

  static typename Isa::Dot dot(typename Isa::Dot sum, typename Isa::Bytes activations, typename Isa::Bytes weights) {
    if constexpr (kSigned) return Isa::dot_i8(sum, activations, weights);
    else return Isa::dot_u7(sum, activations, weights);
  }

  static typename Isa::Bytes weights(const std::byte* block, std::size_t g, std::size_t v) {
    const auto code = Span::Codes::load(block, g, v);
    if constexpr (kLayout.table != nullptr) return Isa::look_up(kNumbers.data(), code);
    else return code;
  }
  static typename Isa::Bytes expanded_weights(const std::byte* block, std::size_t g, std::size_t v) {
    return Isa::load_bytes(block + (g * kPanelVectors + v) * kGroup * Isa::kLanes);
  }
  static typename Isa::F32 half_vector(const std::byte* halves, std::size_t v) {
    return Isa::load_f16(reinterpret_cast<const std::uint16_t*>(halves) + v % kPanelVectors * Isa::kLanes);
  }
  /// Powers of two are kept as their exponent e, for 2^(e - 128): half of what the bits of a float say, with the least
  /// of them, 2^-127, not quite zero.
  static typename Isa::F32 scale_vector(const std::byte* scales, std::size_t v) {
    if constexpr (kLayout.exponent) {
      const auto* exponents = reinterpret_cast<const std::uint8_t*>(scales) + v % kPanelVectors * Isa::kLanes;
      const auto power = Isa::from_bits(Isa::template shift_left<23>(Isa::load_u8_as_i32(exponents)));
      return Isa::mul(Isa::max(Isa::splat(0x1p-127f), power), Isa::splat(0.5f));
    } else {
      return half_vector(scales, v);
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
