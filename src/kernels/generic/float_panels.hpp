// Panels of F32, F16 and BF16 weights: [k][P], with two loads of rows for each k.
#pragma once

#include <cstring>

#include "kernels/generic/block_layout.hpp"
#include "kernels/generic/prefetch.hpp"
#include "kernels/kernels.hpp"
#include "tensor/half.hpp"

namespace heed::kernels::generic {

template <class Isa>
struct F32Weights {
  using Element = float;
  static typename Isa::F32 load(const Element* p) { return Isa::load(p); }
  static float value(Element e) { return e; }
};

template <class Isa>
struct F16Weights {
  using Element = std::uint16_t;
  static typename Isa::F32 load(const Element* p) { return Isa::load_f16(p); }
  static float value(Element e) { return f16_to_f32(e); }
};

template <class Isa>
struct BF16Weights {
  using Element = std::uint16_t;
  static typename Isa::F32 load(const Element* p) { return Isa::load_bf16(p); }
  static float value(Element e) { return bf16_to_f32(e); }
};

/// Multiplies a panel of F16 or BF16, expanded to F32, by some tokens.
template <class Isa, std::size_t kTokens>
void tile_of_floats(DType dtype, const SpanLayout& layout, const std::byte* const (&)[1], const std::byte* expanded,
                    const MatmulInput& x, std::size_t token, typename Isa::F32 (&out)[kPanelVectors][kTokens]);

template <class Isa, class Weights>
struct FloatPanels {
  using Instructions = Isa;
  using Element = typename Weights::Element;
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;

  static std::size_t panel_bytes(std::size_t columns) { return columns * P * sizeof(Element); }

  static void pack(DType, std::byte* panel, std::size_t columns, std::size_t lane, const std::byte* stored) {
    for (std::size_t k = 0; k < columns; ++k)
      std::memcpy(panel + (k * P + lane) * sizeof(Element), stored + k * sizeof(Element), sizeof(Element));
  }

  static void unpack(DType, const std::byte* panel, std::size_t columns, std::size_t lane, float* out) {
    const auto* elements = reinterpret_cast<const Element*>(panel);
    for (std::size_t k = 0; k < columns; ++k) out[k] = Weights::value(elements[k * P + lane]);
  }

  /// Whether 16-bit weights are converted once for several tiles: if the scratch of a product can hold a panel of floats. Then
  /// vectors are short, and a conversion yields few floats.
  static constexpr bool kExpands = sizeof(Element) == 2 && P * sizeof(float) <= matmul_scratch(1);
  static constexpr bool kWidened = false, kHasTokenTile = true, kIsCommon = false, kHasGroupTile = false;
  static constexpr auto kTileOfExpanded = tile_of_floats<Isa, kTokenGroup>;
  static constexpr SpanLayout kSpanLayout = {};

  static void expand(DType, const std::byte* panel, std::size_t columns, std::byte* expanded) {
    const auto* elements = reinterpret_cast<const Element*>(panel);
    auto* floats = reinterpret_cast<float*>(expanded);
    for (std::size_t i = 0; i < columns * P; i += Isa::kLanes) Isa::store(floats + i, Weights::load(elements + i));
  }

  /// out[v][t] = the rows of vector v (of the first panel, then of the next) times token t, over all k in order.
  template <std::size_t kTokens, std::size_t kPanels>
  static void tile(DType, const SpanLayout&, const std::byte* const (&panels)[kPanels], const std::byte* /*expanded*/,
                   const MatmulInput& x, std::size_t token, typename Isa::F32 (&out)[kPanels * kPanelVectors][kTokens]) {
    const float* values = x.values + token * x.columns;
    typename Isa::F32 sums[kPanels * kPanelVectors][kTokens];  // a local array, so that they are in registers
    for (auto& row : sums)
      for (auto& sum : row) sum = Isa::splat(0.0f);
    for (std::size_t k = 0; k < x.columns; ++k) {
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < kPanels * kPanelVectors; ++v) {
        const auto* elements = reinterpret_cast<const Element*>(panels[v / kPanelVectors]) + k * P;
        if (v % kPanelVectors == 0) prefetch_ahead<P * sizeof(Element)>(elements);
        const auto w = Weights::load(elements + v % kPanelVectors * Isa::kLanes);
#pragma clang loop unroll(full)
        for (std::size_t t = 0; t < kTokens; ++t)
          sums[v][t] = Isa::add(sums[v][t], Isa::mul(w, Isa::splat(values[t * x.columns + k])));
      }
    }
    std::memcpy(out, sums, sizeof out);
  }
};

template <class Isa, std::size_t kTokens>
void tile_of_floats(DType dtype, const SpanLayout& layout, const std::byte* const (&)[1], const std::byte* expanded,
                    const MatmulInput& x, std::size_t token, typename Isa::F32 (&out)[kPanelVectors][kTokens]) {
  FloatPanels<Isa, F32Weights<Isa>>::template tile<kTokens, 1>(dtype, layout, {expanded}, nullptr, x, token, out);
}

}  // namespace heed::kernels::generic
