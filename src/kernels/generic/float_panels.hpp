// F32, F16 and BF16 weights: a panel is [k][P], one load of P rows for each k.
#pragma once

#include <cstring>

#include "kernels/generic/unroll.hpp"
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

template <class Isa, class Weights>
struct FloatPanels {
  using Element = typename Weights::Element;
  static constexpr std::size_t P = Isa::kLanes;

  static std::size_t panel_bytes(std::size_t columns) { return columns * P * sizeof(Element); }

  static void pack(std::byte* panel, std::size_t columns, std::size_t lane, const std::byte* stored) {
    for (std::size_t k = 0; k < columns; ++k)
      std::memcpy(panel + (k * P + lane) * sizeof(Element), stored + k * sizeof(Element), sizeof(Element));
  }

  static void unpack(const std::byte* panel, std::size_t columns, std::size_t lane, float* out) {
    const auto* elements = reinterpret_cast<const Element*>(panel);
    for (std::size_t k = 0; k < columns; ++k) out[k] = Weights::value(elements[k * P + lane]);
  }

  /// sums[p][t] = rows of panel p times token t, over all k in order.
  template <std::size_t kPanels, std::size_t kTokens>
  static void tile(const std::byte* const (&panels)[kPanels], const MatmulInput& x, std::size_t token,
                   typename Isa::F32 (&sums)[kPanels][kTokens]) {
    for (auto& row : sums)
      for (auto& sum : row) sum = Isa::splat(0.0f);
    const float* values = x.values + token * x.columns;
    for (std::size_t k = 0; k < x.columns; ++k) {
      unroll<kPanels>([&](auto p) {
        const auto w = Weights::load(reinterpret_cast<const Element*>(panels[p]) + k * P);
        unroll<kTokens>([&](auto t) {
          sums[p][t] = Isa::add(sums[p][t], Isa::mul(w, Isa::splat(values[t * x.columns + k])));
        });
      });
    }
  }
};

}  // namespace heed::kernels::generic
