// Products of int8 activations and small integer weights: an exact integer dot product per run of 16 or 32 k, and a float
// multiplication and addition per block of 32 k. Independent of the bits of a code, so that types with the same BlockShape share
// this code.
#pragma once

#include <algorithm>
#include <bit>
#include <iterator>
#include <type_traits>
#include <utility>

#include "kernels/generic/block_layout.hpp"
#include "kernels/generic/packed_codes.hpp"
#include "kernels/isa/instruction_set.hpp"
#include "kernels/kernels.hpp"

namespace heed::kernels::generic {

/// Reads weights that were expanded to bytes or 16 bits (BlockStorage::expand), for tiles of several tokens.
template <class Isa>
class ExpandedWeights {
 public:
  static constexpr bool kWidened = Isa::kWidensTiles;
  static constexpr std::size_t kBytes = expanded_bytes<Isa>(kWidened);  // of a block

  explicit ExpandedWeights(const std::byte* first) : block_(first) {}
  void begin_span(const std::byte*) {}
  void begin_block(const std::byte*, std::size_t) {}
  void end_block() { block_ += kBytes; }
  static constexpr std::size_t kRepeat = 1;
  /// Returns vector v of group from + g or, if weights have 16 bits, of half-group from + g.
  typename Isa::Bytes operator()(const std::byte*, std::size_t, std::size_t from, std::size_t g, std::size_t v) const {
    return Isa::load_bytes(block_ + ((from + g) * kPanelVectors + v) * kGroup * Isa::kLanes);
  }

 private:
  const std::byte* block_;
};

/// The activations of the tokens of a tile, block by block: a group of them, or one or two tokens after the groups (kernels.hpp).
template <std::size_t kTokens, bool kWidened>
class TokenBlocks {
 public:
  TokenBlocks(const MatmulInput& x, std::size_t token) {
    for (std::size_t i = 0; i < kParts; ++i) {
      parts_[i] = x.quantized + quantized_bytes(token + i * kInPart, x.columns);
      if constexpr (kWidened) widened_[i] = x.widened + (token + i * kInPart) * x.columns;
    }
  }
  /// The group whose first block is at `group`.
  explicit TokenBlocks(const std::byte* group) : parts_{group} { static_assert(kTokens == kTokenGroup && !kWidened); }

  void next() {
    for (std::size_t i = 0; i < kParts; ++i) {
      parts_[i] += quantized_bytes(kInPart, kBlock);
      if constexpr (kWidened) widened_[i] += kInPart * kBlock;
    }
  }
  /// The four codes of token t in group g of k.
  const std::byte* codes(std::size_t g, std::size_t t) const { return parts_[t / kInPart] + (g * kInPart + t % kInPart) * kGroup; }
  /// Two of these codes, widened: half 0 has codes 0 and 2, half 1 codes 1 and 3 (MatmulInput::widened).
  const std::byte* widened(std::size_t g, std::size_t half, std::size_t t) const {
    return reinterpret_cast<const std::byte*>(widened_[t / kInPart]) + ((g * 2 + half) * kInPart + t % kInPart) * kGroup;
  }

  float step(std::size_t t) const { return at<float>(t, 0); }
  /// Minus the sums of the first 16 codes, and of all 32.
  std::int32_t half(std::size_t t) const { return at<std::int32_t>(t, 1); }
  std::int32_t sum(std::size_t t) const { return at<std::int32_t>(t, 2); }

 private:
  static constexpr std::size_t kInPart = kTokens < kTokenGroup ? 1 : kTokenGroup, kParts = kTokens / kInPart;
  template <class Number>
  Number at(std::size_t t, std::size_t row) const {
    return reinterpret_cast<const Number*>(parts_[t / kInPart] + kInPart * kBlock)[row * kInPart + t % kInPart];
  }

  const std::byte* parts_[kParts];
  const std::int16_t* widened_[kParts] = {};
};

template <class Isa, BlockShape kShape>
struct BlockTiles {
  using F32 = typename Isa::F32;
  using I32 = typename Isa::I32;
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  static constexpr bool kHasRuns = kShape.runs > 0;
  static constexpr std::size_t kRuns = kShape.runs == 2 ? 2 : 1;  // sums of a block
  static constexpr std::size_t kRunGroups = kGroups / kRuns;
  static constexpr bool kPairs = !kShape.is_signed && isa::PairedDots<Isa>;
  static constexpr bool kFlips = kShape.is_signed && isa::FlippedDots<Isa>;

  /// sums[v][t] = the rows of vector v (of the first panel, then of the next) times token t, block by block in order. `weights`
  /// returns vectors of weights, as ExpandedWeights does.
  template <std::size_t kTokens, std::size_t kPanels, class Weights>
  [[gnu::always_inline]] static void add_panels(const SpanLayout& layout, const std::byte* const (&panels)[kPanels],
                                                Weights weights, const MatmulInput& x, std::size_t token,
                                                F32 (&sums)[kPanels * kPanelVectors][kTokens]) {
    constexpr std::size_t kVectors = kPanels * kPanelVectors;
    TokenBlocks<kTokens, Weights::kWidened || kPairs> tokens(x, token);
    for (auto& row : sums)
      for (auto& sum : row) sum = Isa::splat(0.0f);

    // Copies the pointers: if the dot product is a barrier to the compiler, those in `panels` would be read again for each load,
    // and 64-bit WebAssembly would check each of them.
    const std::byte* spans[kPanels];
    std::copy(std::begin(panels), std::end(panels), spans);
    const std::byte* const end = spans[0] + x.columns / (layout.blocks * kBlock) * layout.bytes;
    while (spans[0] != end) {
      F32 scales[kVectors] = {}, minimums[kVectors] = {};
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::byte* span = spans[v / kPanelVectors];
        if (v % kPanelVectors == 0) weights.begin_span(span);
        if constexpr (!kShape.float_runs) scales[v] = scale_vector(span, v);
        if constexpr (kShape.minimum) minimums[v] = half_vector(span + layout.minimums, v);
      }
      for (std::size_t b = 0; b < layout.blocks; ++b, tokens.next()) {
        add_block(layout, spans, b, weights, scales, minimums, tokens, sums);
        weights.end_block();
      }
      for (const std::byte*& span : spans) span += layout.bytes;
    }
  }

  /// As add_panels(), for two panels and whole groups of tokens: sums[i][v][t] is of token t of group i. The tile of one panel and
  /// one group is the largest that registers hold; so for each block, the panels and groups take turns. Thus memory is read once,
  /// in two streams.
  template <class Weights>
  [[gnu::always_inline]] static void add_groups(const SpanLayout& layout, const std::byte* const (&panels)[2], Weights weights,
                                                const MatmulInput& x, std::size_t token, std::size_t groups,
                                                F32 (*sums)[2 * kPanelVectors][kTokenGroup]) {
    static_assert(!Weights::kWidened && !kPairs && !kFlips);
    constexpr std::size_t kVectors = 2 * kPanelVectors;
    const std::byte* spans[] = {panels[0], panels[1]};
    const std::size_t apart = quantized_bytes(kTokenGroup, x.columns);  // from one group of tokens to the next
    const std::byte* activations = x.quantized + quantized_bytes(token, x.columns);
    std::fill_n(&sums[0][0][0], groups * kVectors * kTokenGroup, Isa::splat(0.0f));
    const std::byte* const end = spans[0] + x.columns / (layout.blocks * kBlock) * layout.bytes;
    while (spans[0] != end) {
      F32 scales[2][kPanelVectors] = {}, minimums[2][kPanelVectors] = {};
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::byte* span = spans[v / kPanelVectors];
        if (v % kPanelVectors == 0) weights.begin_span(span);
        scales[v / kPanelVectors][v % kPanelVectors] = scale_vector(span, v);
        if constexpr (kShape.minimum) minimums[v / kPanelVectors][v % kPanelVectors] = half_vector(span + layout.minimums, v);
      }
      for (std::size_t b = 0; b < layout.blocks; ++b, activations += quantized_bytes(kTokenGroup, kBlock)) {
#pragma clang loop unroll(disable)
        for (std::size_t p = 0; p < 2; ++p) {
          const std::byte* const span[] = {spans[p]};
#pragma clang loop unroll(disable)
          for (std::size_t i = 0; i < groups; ++i) {
            const TokenBlocks<kTokenGroup, false> tokens(activations + i * apart);
            add_block(layout, span, b, weights, scales[p], minimums[p], tokens,
                      reinterpret_cast<F32(&)[kPanelVectors][kTokenGroup]>(sums[i][p * kPanelVectors]));
          }
        }
      }
      for (const std::byte*& span : spans) span += layout.bytes;
    }
  }

 private:
  /// The sums of a block before its float scales: one of codes, one of minimums; or floats, if runs have float scales.
  template <std::size_t kVectors, std::size_t kTokens>
  struct BlockSums {
    I32 codes[kVectors][kTokens], minimums[kVectors][kTokens];
    F32 products[kVectors][kTokens];
  };

  /// Adds block b of the spans times the activations of kTokens tokens, in three stages: the exact sums of each run; these times
  /// the scales of runs; the block's sums times the float scales.
  template <std::size_t kTokens, std::size_t kPanels, std::size_t kVectors, class Weights, class Tokens>
  [[gnu::always_inline]] static void add_block(const SpanLayout& layout, const std::byte* const (&spans)[kPanels], std::size_t b,
                                               Weights& weights, const F32 (&scales)[kVectors], const F32 (&minimums)[kVectors],
                                               const Tokens& tokens, F32 (&sums)[kVectors][kTokens]) {
    for (std::size_t v = 0; v < kVectors; v += kPanelVectors) weights.begin_block(spans[v / kPanelVectors], b);
    BlockSums<kVectors, kTokens> block;
#pragma clang loop unroll(full)
    for (std::size_t run = 0; run < kRuns; ++run) {
      I32 negative_sums[kTokens], dots[kVectors][kTokens];
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) negative_sums[t] = run_sum(tokens, t, run);
      if constexpr (Weights::kWidened) dot_widened(weights, tokens, run, dots);
      else if constexpr (kPairs) dot_pairs(spans, b, weights, tokens, run, negative_sums, dots);
      else if constexpr (kFlips) dot_flipped(spans, b, weights, tokens, run, dots);
      else if constexpr (isa::GroupedDots<Isa>) dot_groups(spans, b, weights, tokens, run, negative_sums, dots);
      else dot_bytes(spans, b, weights, tokens, run, negative_sums, dots);

      if constexpr (kShape.float_runs) add_float_run(spans, b, run, dots, block.products);
      else add_run(layout, spans, b, run, dots, negative_sums, block);
    }
    if constexpr (kShape.float_runs) add_float_runs(block.products, tokens, sums);
    else add_scaled(layout, spans, b, block, scales, minimums, tokens, sums);
  }

  /// Calls body(from, g) for the groups from + g of a run. g is a constant, and so is `from`, except in tiles of two tokens whose
  /// groups repeat (kRepeat): unrolled, these tiles would be larger than all others together, and they wait for memory anyway.
  template <std::size_t kTokens, class Weights, class Body>
  [[gnu::always_inline]] static void each_group(std::size_t run, Body body) {
    if constexpr (kTokens == 2 && Weights::kRepeat > 0) {
#pragma clang loop unroll(disable)
      for (std::size_t from = run * kRunGroups; from < (run + 1) * kRunGroups; from += Weights::kRepeat)
#pragma clang loop unroll(full)
        for (std::size_t g = 0; g < Weights::kRepeat; ++g) body(from, g);
    } else {
#pragma clang loop unroll(full)
      for (std::size_t g = 0; g < kRunGroups; ++g) body(run * kRunGroups, g);
    }
  }

  // Stage 1: the integer sums of a run.

  /// dots[v][t] = the weights of a run times the activations, without the contribution of the offset. For each group, loads all
  /// weights or all activations, whichever are fewer vectors, and then the others one by one: V8 has no registers for all of them
  /// beside the sums.
  template <std::size_t kTokens, std::size_t kPanels, std::size_t kVectors, class Weights, class Tokens>
  [[gnu::always_inline]] static void dot_bytes(const std::byte* const (&spans)[kPanels], std::size_t b, const Weights& weights,
                                               const Tokens& tokens, std::size_t run, const I32 (&negative_sums)[kTokens],
                                               I32 (&dots)[kVectors][kTokens]) {
    typename Isa::Dot sums[kVectors][kTokens];
#pragma clang loop unroll(full)
    for (std::size_t t = 0; t < kTokens; ++t)
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kVectors; ++v)
        sums[v][t] = Isa::dot_start(kShape.step == 1 ? offset(negative_sums[t]) : Isa::splat_i32(0));
    each_group<kTokens, Weights>(run, [&](std::size_t from, std::size_t g) __attribute__((always_inline)) {
      typename Isa::Bytes a[kTokens], w[kVectors];
      const auto load_token = [&](std::size_t t)
                                  __attribute__((always_inline)) { a[t] = Isa::splat_group(tokens.codes(from + g, t)); };
      const auto load_vector = [&](std::size_t v)
                                   __attribute__((always_inline)) { w[v] = weights(spans[v / kPanelVectors], b, from, g, v); };
      if constexpr (kTokens > kVectors) {
#pragma clang loop unroll(full)
        for (std::size_t v = 0; v < kVectors; ++v) load_vector(v);
#pragma clang loop unroll(full)
        for (std::size_t t = 0; t < kTokens; ++t) {
          load_token(t);
#pragma clang loop unroll(full)
          for (std::size_t v = 0; v < kVectors; ++v) sums[v][t] = dot(sums[v][t], a[t], w[v]);
        }
      } else {
#pragma clang loop unroll(full)
        for (std::size_t t = 0; t < kTokens; ++t) load_token(t);
#pragma clang loop unroll(full)
        for (std::size_t v = 0; v < kVectors; ++v) {
          load_vector(v);
#pragma clang loop unroll(full)
          for (std::size_t t = 0; t < kTokens; ++t) sums[v][t] = dot(sums[v][t], a[t], w[v]);
        }
      }
    });
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < kVectors; ++v)
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) dots[v][t] = Isa::dot_sum(sums[v][t]);
  }

  /// As dot_bytes(), for GroupedDots: 16 bits hold the sums of some groups. The operand that products share stays in registers: the
  /// activations of one token, or the weights for several.
  template <std::size_t kTokens, std::size_t kPanels, std::size_t kVectors, class Weights, class Tokens>
  [[gnu::always_inline]] static void dot_groups(const std::byte* const (&spans)[kPanels], std::size_t b, const Weights& weights,
                                                const Tokens& tokens, std::size_t run, const I32 (&negative_sums)[kTokens],
                                                I32 (&dots)[kVectors][kTokens]) {
    constexpr std::size_t kAtOnce = Isa::kGroupsInPairs;
    static_assert(!kShape.is_signed && kRunGroups % kAtOnce == 0);
#pragma clang loop unroll(full)
    for (std::size_t t = 0; t < kTokens; ++t)
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kVectors; ++v) dots[v][t] = kShape.step == 1 ? offset(negative_sums[t]) : Isa::splat_i32(0);
#pragma clang loop unroll(full)
    for (std::size_t g = run * kRunGroups; g < (run + 1) * kRunGroups; g += kAtOnce) {
      typename Isa::Bytes a[kAtOnce], w[kVectors][kAtOnce];
      const auto load_token = [&](std::size_t t) __attribute__((always_inline)) {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < kAtOnce; ++i) a[i] = Isa::splat_group(tokens.codes(g + i, t));
      };
      const auto load_vector = [&](std::size_t v) __attribute__((always_inline)) {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < kAtOnce; ++i) w[v][i] = weights(spans[v / kPanelVectors], b, 0, g + i, v);
      };
      if constexpr (kTokens == 1) {
        load_token(0);
      } else {
#pragma clang loop unroll(full)
        for (std::size_t v = 0; v < kVectors; ++v) load_vector(v);
      }
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        if constexpr (kTokens > 1) load_token(t);
#pragma clang loop unroll(full)
        for (std::size_t v = 0; v < kVectors; ++v) {
          if constexpr (kTokens == 1) load_vector(v);
          auto sums = Isa::pairs(a[0], w[v][0]);
#pragma clang loop unroll(full)
          for (std::size_t i = 1; i < kAtOnce; ++i) sums = Isa::add_pairs(sums, Isa::pairs(a[i], w[v][i]));
          dots[v][t] = Isa::add_folded(dots[v][t], sums);
        }
      }
    }
  }

  /// As dot_bytes(), for PairedDots: 16-bit lanes with two weights each.
  template <std::size_t kTokens, std::size_t kPanels, std::size_t kVectors, class Weights, class Tokens>
  [[gnu::always_inline]] static void dot_pairs(const std::byte* const (&spans)[kPanels], std::size_t b, const Weights& weights,
                                               const Tokens& tokens, std::size_t run, const I32 (&negative_sums)[kTokens],
                                               I32 (&dots)[kVectors][kTokens]) {
#pragma clang loop unroll(full)
    for (std::size_t t = 0; t < kTokens; ++t)
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kVectors; ++v) dots[v][t] = kShape.step == 1 ? offset(negative_sums[t]) : Isa::splat_i32(0);
    each_group<kTokens, Weights>(run, [&](std::size_t from, std::size_t g) __attribute__((always_inline)) {
      typename Isa::Bytes low[kTokens], high[kTokens];
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        low[t] = Isa::splat_group(tokens.widened(from + g, 0, t));
        high[t] = Isa::splat_group(tokens.widened(from + g, 1, t));
      }
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kVectors; ++v) {
        const auto w = weights(spans[v / kPanelVectors], b, from, g, v);
#pragma clang loop unroll(full)
        for (std::size_t t = 0; t < kTokens; ++t) dots[v][t] = Isa::dot_pairs(dots[v][t], low[t], high[t], w);
      }
    });
  }

  /// As dot_bytes(), for FlippedDots: signed weights, negated if the activation is negative.
  template <std::size_t kTokens, std::size_t kPanels, std::size_t kVectors, class Weights, class Tokens>
  [[gnu::always_inline]] static void dot_flipped(const std::byte* const (&spans)[kPanels], std::size_t b, const Weights& weights,
                                                 const Tokens& tokens, std::size_t run, I32 (&dots)[kVectors][kTokens]) {
    static_assert(kShape.offset == 0);
    typename Isa::Bytes excess[kTokens];
#pragma clang loop unroll(full)
    for (std::size_t t = 0; t < kTokens; ++t) {
      excess[t] = Isa::splat_byte(0);
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kVectors; ++v) dots[v][t] = Isa::splat_i32(0);
    }
    each_group<kTokens, Weights>(run, [&](std::size_t from, std::size_t g) __attribute__((always_inline)) {
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        const auto a = Isa::split(Isa::splat_group(tokens.codes(from + g, t)));
        excess[t] = Isa::add_excess(excess[t], a);
#pragma clang loop unroll(full)
        for (std::size_t v = 0; v < kVectors; ++v)
          dots[v][t] = Isa::dot_flipped(dots[v][t], a, weights(spans[v / kPanelVectors], b, from, g, v));
      }
    });
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < kVectors; ++v)
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) dots[v][t] = Isa::without(dots[v][t], excess[t]);
  }

  /// As dot_bytes(), for weights and activations of 16 bits; the weights have no offset.
  template <std::size_t kTokens, std::size_t kVectors, class Weights, class Tokens>
  [[gnu::always_inline]] static void dot_widened(const Weights& weights, const Tokens& tokens, std::size_t run,
                                                 I32 (&dots)[kVectors][kTokens]) {
    static_assert(kTokens == kTokenGroup);
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < kVectors; ++v)
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) dots[v][t] = Isa::splat_i32(0);
#pragma clang loop unroll(full)
    for (std::size_t half = run * kRunGroups * 2; half < (run + 1) * kRunGroups * 2; ++half) {
      typename Isa::Bytes w[kVectors];
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kVectors; ++v) w[v] = weights(nullptr, 0, 0, half, v);
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        const auto a = Isa::splat_group(tokens.widened(half / 2, half % 2, t));
#pragma clang loop unroll(full)
        for (std::size_t v = 0; v < kVectors; ++v) dots[v][t] = Isa::dot_i16(dots[v][t], a, w[v]);
      }
    }
  }

  template <class Dot>
  static Dot dot(Dot sum, typename Isa::Bytes activations, typename Isa::Bytes weights) {
    if constexpr (kShape.is_signed) return Isa::dot_i8(sum, activations, weights);
    else return Isa::dot_u7(sum, activations, weights);
  }

  /// Minus the sum of the activations of a run.
  template <class Tokens>
  static I32 run_sum(const Tokens& tokens, std::size_t t, std::size_t run) {
    return Isa::splat_i32(kRuns == 1 ? tokens.sum(t) : run == 0 ? tokens.half(t) : tokens.sum(t) - tokens.half(t));
  }
  static I32 offset(I32 negative_sum) {
    static_assert(kShape.offset == 0 || std::has_single_bit(static_cast<unsigned>(kShape.offset)));
    if constexpr (kShape.offset == 0) return Isa::splat_i32(0);
    else return Isa::template shift_left<std::countr_zero(static_cast<unsigned>(kShape.offset))>(negative_sum);
  }

  // Stage 2: the sums of a run times its scale.

  /// codes += dot * run scale; minimums += negative sum * run minimum. In a block of one run, the run scale is multiplied by the
  /// float scale later, which is exact (11 bits times 7).
  template <std::size_t kTokens, std::size_t kPanels, std::size_t kVectors>
  [[gnu::always_inline]] static void add_run(const SpanLayout& layout, const std::byte* const (&spans)[kPanels], std::size_t b,
                                             std::size_t run, const I32 (&dots)[kVectors][kTokens],
                                             const I32 (&negative_sums)[kTokens], BlockSums<kVectors, kTokens>& block) {
    I32 scales[kVectors], minimums[kVectors];
    if constexpr (kRuns > 1) load_runs(layout, spans, b * kRuns + run, scales, minimums);
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < kVectors; ++v) {
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        auto code = with_step(dots[v][t], negative_sums[t]), minimum = negative_sums[t];
        if constexpr (kRuns > 1) code = Isa::mul(code, scales[v]);
        if constexpr (kRuns > 1 && kShape.minimum) minimum = Isa::mul(minimum, minimums[v]);
        block.codes[v][t] = run == 0 ? code : Isa::add(block.codes[v][t], code);
        block.minimums[v][t] = run == 0 ? minimum : Isa::add(block.minimums[v][t], minimum);
      }
    }
  }
  /// products += dot * float scale of the run.
  template <std::size_t kTokens, std::size_t kPanels, std::size_t kVectors>
  [[gnu::always_inline]] static void add_float_run(const std::byte* const (&spans)[kPanels], std::size_t b, std::size_t run,
                                                   const I32 (&dots)[kVectors][kTokens], F32 (&products)[kVectors][kTokens]) {
    static_assert(kShape.step == 1);
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto scale = e4m3_vector(spans[v / kPanelVectors] + (b * kRuns + run) * P, v);
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        const auto product = Isa::mul(Isa::to_f32(dots[v][t]), scale);
        products[v][t] = run == 0 ? product : Isa::add(products[v][t], product);
      }
    }
  }
  /// Converts a dot product of codes to one of their values: with step 2, a value is 2 * code - offset.
  static I32 with_step(I32 dot, I32 negative_sum) {
    if constexpr (kShape.step == 2) return Isa::add(Isa::add(dot, dot), offset(negative_sum));
    else return dot;
  }

  // Stage 3: the sums of a block times its float scales.

  /// sums += codes * (scale * step), or with minimums (codes * scale + minimums * minimum) * step; step: the scale of the
  /// activations.
  template <std::size_t kTokens, std::size_t kPanels, std::size_t kVectors, class Tokens>
  [[gnu::always_inline]] static void add_scaled(const SpanLayout& layout, const std::byte* const (&spans)[kPanels], std::size_t b,
                                                const BlockSums<kVectors, kTokens>& block, const F32 (&scales)[kVectors],
                                                const F32 (&minimums)[kVectors], const Tokens& tokens,
                                                F32 (&sums)[kVectors][kTokens]) {
    constexpr bool kOneRun = kHasRuns && kRuns == 1;
    I32 run_scales[kVectors], run_minimums[kVectors];
    if constexpr (kOneRun) load_runs(layout, spans, b, run_scales, run_minimums);
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < kVectors; ++v) {
      auto scale = scales[v], minimum = minimums[v];
      if constexpr (kOneRun) scale = Isa::mul(scale, Isa::to_f32(run_scales[v]));
      if constexpr (kOneRun && kShape.minimum) minimum = Isa::mul(minimum, Isa::to_f32(run_minimums[v]));
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        const auto codes = Isa::to_f32(block.codes[v][t]), step = Isa::splat(tokens.step(t));
        if constexpr (kShape.minimum) {
          const auto both = Isa::add(Isa::mul(codes, scale), Isa::mul(Isa::to_f32(block.minimums[v][t]), minimum));
          sums[v][t] = Isa::add(sums[v][t], Isa::mul(both, step));
        } else {
          sums[v][t] = Isa::add(sums[v][t], Isa::mul(codes, Isa::mul(scale, step)));
        }
      }
    }
  }
  /// sums += products * step.
  template <std::size_t kTokens, std::size_t kVectors, class Tokens>
  [[gnu::always_inline]] static void add_float_runs(const F32 (&products)[kVectors][kTokens], const Tokens& tokens,
                                                    F32 (&sums)[kVectors][kTokens]) {
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < kVectors; ++v) {
#pragma clang loop unroll(full)
      for (std::size_t t = 0; t < kTokens; ++t) {
        sums[v][t] = Isa::add(sums[v][t], Isa::mul(products[v][t], Isa::splat(tokens.step(t))));
      }
    }
  }

  // Loads scales, a vector of rows at a time.

  template <std::size_t kPanels, std::size_t kVectors>
  [[gnu::always_inline]] static void load_runs(const SpanLayout& layout, const std::byte* const (&spans)[kPanels], std::size_t run,
                                               I32 (&run_scales)[kVectors], [[maybe_unused]] I32 (&run_minimums)[kVectors]) {
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < kVectors; v += kPanelVectors) {
      const auto* values = reinterpret_cast<const std::int8_t*>(spans[v / kPanelVectors]) + run * P;
      Isa::load_i8_as_i32(values + layout.run_scales, run_scales[v], run_scales[v + 1]);
      if constexpr (kShape.minimum) Isa::load_i8_as_i32(values + layout.run_minimums, run_minimums[v], run_minimums[v + 1]);
    }
  }
  static F32 half_vector(const std::byte* halves, std::size_t v) {
    return Isa::load_f16(reinterpret_cast<const std::uint16_t*>(halves) + v % kPanelVectors * Isa::kLanes);
  }
  /// Scales that are powers of two are stored as e, for 2^(e - 128): half the float with the biased exponent e. That float is zero
  /// for e = 0, hence the maximum with 2^-127.
  static F32 scale_vector(const std::byte* scales, std::size_t v) {
    if constexpr (kShape.exponent) {
      const auto* exponents = reinterpret_cast<const std::uint8_t*>(scales) + v % kPanelVectors * Isa::kLanes;
      const auto power = Isa::from_bits(Isa::template shift_left<23>(Isa::load_u8_as_i32(exponents)));
      return Isa::mul(Isa::max(Isa::splat(0x1p-127f), power), Isa::splat(0.5f));
    } else if constexpr (kShape.eighths) {
      const auto* halves = reinterpret_cast<const std::uint16_t*>(scales) + v % kPanelVectors * Isa::kLanes;
      return Isa::mul(Isa::load_f16_bits(halves), Isa::splat(0x1p109f));  // 2^112 / 8
    } else {
      return half_vector(scales, v);
    }
  }
  static F32 e4m3_vector(const std::byte* numbers, std::size_t v) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(numbers) + v % kPanelVectors * Isa::kLanes;
    return Isa::mul(Isa::from_bits(Isa::template shift_left<20>(Isa::load_u8_as_i32(bytes))), Isa::splat(kHalfE4M3));
  }
};

}  // namespace heed::kernels::generic
