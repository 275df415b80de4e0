// Panels of quantized weights: the storage of a type, and the tiles that multiply it.
#pragma once

#include <cstring>

#include "kernels/generic/block_storage.hpp"
#include "kernels/generic/block_tiles.hpp"
#include "kernels/generic/prefetch.hpp"

namespace heed::kernels::generic {

/// Multiplies a panel with expanded codes by some tokens.
template <class Tiles, class Isa, std::size_t kTokens>
void tile_of_expanded(DType, const SpanLayout& layout, const std::byte* const (&panels)[1], const std::byte* expanded,
                      const MatmulInput& x, std::size_t token, typename Isa::F32 (&sums)[kPanelVectors][kTokens]) {
  Tiles::template add_panels<kTokens, 1>(layout, panels, ExpandedWeights<Isa>(expanded), x, token, sums);
}

template <class Isa, DType kType>
struct BlockPanels : BlockStorage<typename Isa::FloatIsa, kType, has_signed_weights(kType) ? Isa::kSignedBias : 0> {
  using Instructions = Isa;
  using Storage = BlockStorage<typename Isa::FloatIsa, kType, has_signed_weights(kType) ? Isa::kSignedBias : 0>;
  using typename Storage::Numbers;
  using typename Storage::Span;
  using Storage::kLayout, Storage::kOffset, Storage::numbers_of, Storage::weights;

  static constexpr SpanLayout kSpanLayout{.bytes = Span::kBytes,
                                          .blocks = Span::kBlocks,
                                          .minimums = Span::kMinimums,
                                          .run_scales = Span::kRunScales,
                                          .run_minimums = Span::kRunMinimums};

  /// Whether codes are expanded once for several tiles: to 16 bits, or to bytes.
  static constexpr bool kWidened = Isa::kWidensTiles;
  static constexpr bool kExpands = kWidened || kLayout.bits != 8;
  /// The types of most models. Only these have optimizations that cost about 4 KB of code per target: tiles of two tokens and of
  /// groups of them, which read each weight once, and keeping the sums of one token in registers.
  static constexpr bool kIsCommon = kType == DType::q8_0 || kType == DType::q4_0 || kType == DType::q4_k || kType == DType::q6_k;
  static constexpr bool kHasTokenTile = !kExpands, kHasGroupTile = kIsCommon && !kWidened;

  /// The tiles for expanded codes, which types with the same BlockShape share.
  static constexpr auto kTileOfExpanded =
      tile_of_expanded<BlockTiles<Isa, kWidened ? widened(block_shape(kType, kOffset)) : block_shape(kType, kOffset)>, Isa,
                       kTokenGroup>;

  static void expand(DType dtype, const std::byte* panel, std::size_t columns, std::byte* expanded) {
    Storage::template expand<kWidened>(dtype, panel, columns, expanded);
  }

  /// out[v][t] = the rows of vector v (of the first panel, then of the next) times token t, block by block in order.
  template <std::size_t kTokens, std::size_t kPanels>
  static void tile(DType dtype, const SpanLayout&, const std::byte* const (&panels)[kPanels], const std::byte* /*expanded*/,
                   const MatmulInput& x, std::size_t token, typename Isa::F32 (&out)[kPanels * kPanelVectors][kTokens]) {
    const auto add_to = [&](auto& sums) __attribute__((always_inline)) {
      BlockTiles<Isa, block_shape(kType, kOffset)>::template add_panels<kTokens, kPanels>(
          kSpanLayout, panels, PackedWeights{numbers_of(dtype)}, x, token, sums);
    };
    if constexpr (kTokens == 1 && kIsCommon) {
      typename Isa::F32 sums[kPanels * kPanelVectors][kTokens];
      add_to(sums);
      std::memcpy(out, sums, sizeof out);
    } else {
      add_to(out);
    }
  }

  /// sums[i][v][t]: the rows of vector v (of the first panel, then of the next) times token t of group i.
  static void tile_of_groups(DType dtype, const std::byte* const (&panels)[2], const MatmulInput& x, std::size_t token,
                             std::size_t groups, typename Isa::F32 (*sums)[2 * kPanelVectors][kTokenGroup]) {
    BlockTiles<Isa, block_shape(kType, kOffset)>::add_groups(kSpanLayout, panels, PackedWeights{numbers_of(dtype)}, x, token,
                                                             groups, sums);
  }

 private:
  /// Weights in the packed form.
  struct PackedWeights {
    static constexpr bool kWidened = false;
    [[no_unique_address]] Numbers numbers;

    static const std::byte* codes(const std::byte* span, std::size_t b) { return span + Span::kCodes + b * Span::Codes::kBytes; }
    void begin_span(const std::byte* span) { prefetch_ahead<Span::kCodes>(span); }
    void begin_block(const std::byte* span, std::size_t b) { prefetch_ahead<Span::Codes::kBytes>(codes(span, b)); }
    void end_block() {}
    /// After this many groups, codes are read in the same way again, but from the next vectors; 0 if no group repeats.
    static constexpr std::size_t kRepeat = 8 % kLayout.bits == 0 ? 8 / kLayout.bits : 0;
    /// Returns vector v of group from + g; `from` is a multiple of kRepeat, or 0.
    typename Isa::Bytes operator()(const std::byte* span, std::size_t b, std::size_t from, std::size_t g, std::size_t v) const {
      constexpr std::size_t kVectorBytes = kGroup * Isa::kLanes;
      const std::byte* block = codes(span, b);
      if constexpr (kRepeat > 0) block += from / kRepeat * kPanelVectors * kVectorBytes;
      return weights(block, kRepeat > 0 ? g : from + g, v, numbers);
    }
  };
};

}  // namespace heed::kernels::generic
