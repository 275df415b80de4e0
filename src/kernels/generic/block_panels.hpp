// Quantised weights: int8 activations times small integer codes, one exact integer dot product a block of 32 k, one
// float multiply and add a block.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "kernels/generic/block_storage.hpp"
#include "kernels/generic/prefetch.hpp"
#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

template <class Isa, DType kType>
struct BlockPanels : BlockStorage<typename Isa::FloatIsa, kType, has_signed_weights(kType) ? Isa::kSignedBias : 0> {
  using Instructions = Isa;
  using Storage = BlockStorage<typename Isa::FloatIsa, kType, has_signed_weights(kType) ? Isa::kSignedBias : 0>;
  using typename Storage::Numbers;
  using typename Storage::Span;
  using Storage::kExpandedBytes, Storage::kLayout, Storage::kOffset, Storage::kRun, Storage::kSigned, Storage::P;
  using Storage::e4m3_vector, Storage::half_vector, Storage::numbers_of, Storage::panel_bytes, Storage::scale_vector,
      Storage::weights;
  static constexpr std::size_t kRuns = kBlock / kRun;  // of a block

  /// Whether codes have to be made bytes before a dot product; then tiles of several tokens share that work.
  static constexpr bool kExpands = kLayout.bits != 8;
  /// The types that most models come in. Only these get two optimisations that cost each module some 2 KB a target: a few tokens
  /// unpack codes where they lie, and the sums of one token lie in registers.
  static constexpr bool kIsCommon = kType == DType::q8_0 || kType == DType::q4_0 || kType == DType::q4_k || kType == DType::q6_k;
  static constexpr bool kUnpacksInTiles = kIsCommon && kExpands;

  /// out[v][t] = rows of vector v (those of each panel in turn) times token t: block by block, in order. kExpanded: codes are
  /// read from `expanded`, and weights have just been read.
  template <std::size_t kTokens, std::size_t kPanels, bool kExpanded>
  static void tile(DType dtype, const std::byte* const (&panels)[kPanels], const std::byte* expanded, const MatmulInput& x,
                   std::size_t token, typename Isa::F32 (&out)[kPanels * kPanelVectors][kTokens]) {
    if constexpr (kTokens == 1 && kIsCommon) {
      typename Isa::F32 sums[kPanels * kPanelVectors][kTokens];
      add_panels<kTokens, kPanels, kExpanded>(dtype, panels, expanded, x, token, sums);
      std::memcpy(out, sums, sizeof out);
    } else {
      add_panels<kTokens, kPanels, kExpanded>(dtype, panels, expanded, x, token, out);
    }
  }

 private:
  template <std::size_t kTokens, std::size_t kPanels, bool kExpanded>
  [[gnu::always_inline]] static void add_panels(DType dtype, const std::byte* const (&panels)[kPanels], const std::byte* expanded,
                                                const MatmulInput& x, std::size_t token,
                                                typename Isa::F32 (&sums)[kPanels * kPanelVectors][kTokens]) {
    static_assert(!kExpanded || kPanels == 1);
    constexpr std::size_t kVectors = kPanels * kPanelVectors;
    const Numbers numbers = numbers_of(dtype);
    const std::byte* activations = x.quantised + quantised_bytes(token, x.columns);
    for (auto& row : sums)
      for (auto& sum : row) sum = Isa::splat(0.0f);

    // Copies of the pointers: where the dot product is a barrier to the compiler, those in `panels` would be read again for each
    // load, and 64-bit WebAssembly would check each of them.
    const std::byte* spans[kPanels];
    std::copy(std::begin(panels), std::end(panels), spans);
    const std::byte* const end = spans[0] + panel_bytes(x.columns);
    while (spans[0] != end) {
      typename Isa::F32 scales[kVectors] = {}, minimums[kVectors] = {};
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::byte* span = spans[v / kPanelVectors];
        if constexpr (!kExpanded)
          if (v % kPanelVectors == 0) prefetch_ahead<Span::kCodes>(span);
        if constexpr (!kLayout.float_runs) scales[v] = scale_vector(span, v);
        if constexpr (kLayout.minimum) minimums[v] = half_vector(span + Span::kMinimums, v);
      }
      for (std::size_t b = 0; b < Span::kBlocks; ++b, activations += quantised_bytes(kTokens, kBlock)) {
        if constexpr (kPanels > Isa::kPanelsAtOnce) {
          for_each_panel<kPanels>([&](auto p) {
            constexpr std::size_t kFirst = p * kPanelVectors, kLast = kFirst + kPanelVectors;
            add_block<kFirst, kLast, kExpanded>(spans, b, expanded, numbers, scales, minimums, activations, sums);
          });
        } else {
          add_block<0, kVectors, kExpanded>(spans, b, expanded, numbers, scales, minimums, activations, sums);
        }
        if constexpr (kExpanded) expanded += kExpandedBytes;
      }
      for (const std::byte*& span : spans) span += Span::kBytes;
    }
  }

  template <std::size_t kPanels, class F>
  static void for_each_panel(F f) {
    [&]<std::size_t... p>(std::index_sequence<p...>) {
      (f(std::integral_constant<std::size_t, p>{}), ...);
    }(std::make_index_sequence<kPanels>{});
  }

  /// Adds block b of the spans, for vectors [kFirst, kLast), times kTokens activations of it. Where a block has
  /// one run, its scale is multiplied into the float scale, which is exact (11 bits times 7); where it has two, into the
  /// integer sums.
  template <std::size_t kFirst, std::size_t kLast, bool kExpanded, std::size_t kTokens, std::size_t kPanels, std::size_t kVectors>
  [[gnu::always_inline]] static void add_block(const std::byte* const (&spans)[kPanels], std::size_t b, const std::byte* expanded,
                                               Numbers numbers, const typename Isa::F32 (&scales)[kVectors],
                                               const typename Isa::F32 (&minimums)[kVectors], const std::byte* activations,
                                               typename Isa::F32 (&sums)[kVectors][kTokens]) {
    const auto span = [&](std::size_t v) { return spans[v / kPanelVectors]; };
    const auto codes = [&](std::size_t v) { return span(v) + Span::kCodes + b * Span::Codes::kBytes; };
    const auto load_runs = [&](std::size_t run, auto& run_scales, [[maybe_unused]] auto& run_minimums) {
#pragma clang loop unroll(full)
      for (std::size_t v = kFirst; v < kLast; v += kPanelVectors) {
        const auto* values = reinterpret_cast<const std::int8_t*>(span(v)) + run * P;
        Isa::load_i8_as_i32(values + Span::kRunScales, run_scales[v], run_scales[v + 1]);
        if constexpr (kLayout.minimum) Isa::load_i8_as_i32(values + Span::kRunMinimums, run_minimums[v], run_minimums[v + 1]);
      }
    };
    if constexpr (!kExpanded)
      for (std::size_t v = kFirst; v < kLast; v += kPanelVectors) prefetch_ahead<Span::Codes::kBytes>(codes(v));
    const auto* steps = reinterpret_cast<const float*>(activations + kTokens * kBlock);
    const auto* halves = reinterpret_cast<const std::int32_t*>(steps + kTokens);  // minus sums of 16 and of 32
    typename Isa::I32 totals[kVectors][kTokens], offsets[kVectors][kTokens];
    typename Isa::F32 products[kVectors][kTokens];  // where runs have float scales
#pragma clang loop unroll(full)
    for (std::size_t run = 0; run < kRuns; ++run) {
      typename Isa::I32 negative_sums[kTokens];
      typename Isa::Dot dots[kVectors][kTokens];
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        negative_sums[t] = run_sum<kTokens>(halves + t, run);
#pragma clang loop unroll(full)
        for (std::size_t v = kFirst; v < kLast; ++v)
          dots[v][t] = Isa::dot_start(kLayout.step == 1 ? offset(negative_sums[t]) : Isa::splat_i32(0));
      }
#pragma clang loop unroll(full)
      for (std::size_t g = run * (kGroups / kRuns); g < (run + 1) * (kGroups / kRuns); ++g) {
        typename Isa::Bytes a[kTokens];
#pragma clang loop unroll(full)
        for (std::size_t t = 0; t < kTokens; ++t) a[t] = Isa::splat_group(activations + (g * kTokens + t) * kGroup);
#pragma clang loop unroll(full)
        for (std::size_t v = kFirst; v < kLast; ++v) {
          const auto w = kExpanded ? expanded_weights(expanded, g, v) : weights(codes(v), g, v, numbers);
#pragma clang loop unroll(full)
          for (std::size_t t = 0; t < kTokens; ++t) dots[v][t] = dot(dots[v][t], a[t], w);
        }
      }
      typename Isa::I32 run_scales[kVectors], run_minimums[kVectors];
      if constexpr (kRuns > 1 && !kLayout.float_runs) load_runs(b * kRuns + run, run_scales, run_minimums);
#pragma clang loop unroll(full)
      for (std::size_t v = kFirst; v < kLast; ++v) {
#pragma clang loop unroll(full)
        for (std::size_t t = 0; t < kTokens; ++t) {
          auto total = Isa::dot_sum(dots[v][t]), minimum = negative_sums[t];
          if constexpr (kLayout.step == 2) total = Isa::add(Isa::add(total, total), offset(negative_sums[t]));
          if constexpr (kLayout.float_runs) {
            const auto product = Isa::mul(Isa::to_f32(total), e4m3_vector(span(v) + (b * kRuns + run) * P, v));
            products[v][t] = run == 0 ? product : Isa::add(products[v][t], product);
          } else if constexpr (kRuns > 1) {
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
        } else if constexpr (kLayout.float_runs) {
          sums[v][t] = Isa::add(sums[v][t], Isa::mul(products[v][t], step));
        } else {
          sums[v][t] = Isa::add(sums[v][t], Isa::mul(total, Isa::mul(scale, step)));
        }
      }
    }
  }

  // one vector of rows, of any panel

  static typename Isa::Dot dot(typename Isa::Dot sum, typename Isa::Bytes activations, typename Isa::Bytes weights) {
    if constexpr (kSigned) return Isa::dot_i8(sum, activations, weights);
    else return Isa::dot_u7(sum, activations, weights);
  }

  static typename Isa::Bytes expanded_weights(const std::byte* block, std::size_t g, std::size_t v) {
    return Isa::load_bytes(block + (g * kPanelVectors + v) * kGroup * Isa::kLanes);
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
