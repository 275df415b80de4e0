// Matrix products over weight panels: the same tiles for one token (decode) and for many (prefill), so that a row's sum
// has one order, whatever the batch.
#pragma once

#include "kernels/generic/block_panels.hpp"
#include "kernels/generic/float_panels.hpp"
#include "kernels/generic/functions.hpp"
#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

/// Calls f with the panel layout of the dtype. The one place where types become code.
template <class Isa, class F>
decltype(auto) with_panels(DType dtype, F&& f) {
  switch (dtype) {
    case DType::f16: return f(FloatPanels<Isa, F16Weights<Isa>>{});
    case DType::bf16: return f(FloatPanels<Isa, BF16Weights<Isa>>{});
    case DType::q8_0: return f(BlockPanels<Isa, Q8_0Weights<Isa>>{});
    case DType::q4_0: return f(BlockPanels<Isa, Q4_0Weights<Isa>>{});
    case DType::q6_k: return f(BlockPanels<Isa, Q6_KWeights<Isa>>{});
    case DType::f32: break;
  }
  return f(FloatPanels<Isa, F32Weights<Isa>>{});
}

template <class Isa>
std::size_t panel_bytes(DType dtype, std::size_t columns) noexcept {
  return with_panels<Isa>(dtype, [&](auto panels) { return panels.panel_bytes(columns); });
}

template <class Isa>
void pack_row(const PackedMatrix& w, std::size_t row, const std::byte* stored) noexcept {
  with_panels<Isa>(w.dtype, [&](auto panels) {
    panels.pack(w.data + row / panels.P * w.panel_bytes, w.columns, row % panels.P, stored);
  });
}

template <class Isa>
void unpack_row(const PackedMatrix& w, std::size_t row, float* out) noexcept {
  with_panels<Isa>(w.dtype, [&](auto panels) {
    panels.unpack(w.data + row / panels.P * w.panel_bytes, w.columns, row % panels.P, out);
  });
}

template <class Isa>
void quantise(const float* values, std::size_t columns, std::int8_t* codes, float* scales,
              std::int32_t* sums) noexcept {
  for (std::size_t b = 0; b < columns / kBlock; ++b) {
    const float* x = values + b * kBlock;
    const Wide<Isa> halves[2] = {Wide<Isa>::load(x), Wide<Isa>::load(x + kTile)};
    const auto magnitude = [](auto part) { return Isa::abs(part); };
    const float top = largest(max(map<Isa>(magnitude, halves[0]), map<Isa>(magnitude, halves[1])));
    const float inverse = inverse_step(top);
    scales[b] = top / 127.0f;
    std::int32_t sum = 0;
    for (std::size_t h = 0; h < 2; ++h) {
      std::int8_t* out = codes + b * kBlock + h * kTile;
      for (std::size_t i = 0; i < Wide<Isa>::kParts; ++i) {
        const auto scaled = Isa::mul(halves[h].part[i], Isa::splat(inverse));
        const auto bounded = Isa::max(Isa::splat(-127.0f), Isa::min(Isa::splat(127.0f), scaled));
        Isa::store_low_bytes(out + i * Isa::kLanes, Isa::bits(Isa::add(bounded, Isa::splat(kRoundingShift))));
      }
      for (std::size_t i = 0; i < kTile; ++i) sum += out[i];
      sums[b * 2 + h] = sum;
    }
  }
}

/// One panel times kTokens tokens from `token` on.
template <class Isa, class Panels, std::size_t kTokens>
void matmul_tile(const PackedMatrix& w, const MatmulInput& x, const float* bias, std::size_t panel,
                 std::size_t token, float* y, std::size_t y_stride) noexcept {
  constexpr std::size_t P = Panels::P;
  typename Isa::F32 sums[kPanelVectors][kTokens];
  Panels::template tile<kTokens>(w.data + panel * w.panel_bytes, x, token, sums);
  const std::size_t row = panel * P, rows = w.rows - row < P ? w.rows - row : P;
  for (std::size_t t = 0; t < kTokens; ++t) {
    float lanes[P];
    for (std::size_t v = 0; v < kPanelVectors; ++v) Isa::store(lanes + v * Isa::kLanes, sums[v][t]);
    float* out = y + (token + t) * y_stride + row;
    for (std::size_t i = 0; i < rows; ++i) out[i] = bias ? lanes[i] + bias[row + i] : lanes[i];
  }
}

template <class Isa>
void matmul(const PackedMatrix& w, const MatmulInput& x, const float* bias, std::size_t begin, std::size_t end,
            float* y, std::size_t y_stride) noexcept {
  constexpr std::size_t kTokens = 4;  // 2 vectors x 4 tokens: as many sums as 16 registers hold
  with_panels<Isa>(w.dtype, [&]<class Panels>(Panels) {
    for (std::size_t panel = begin; panel < end; ++panel) {
      std::size_t token = 0;
      for (; token + kTokens <= x.tokens; token += kTokens)
        matmul_tile<Isa, Panels, kTokens>(w, x, bias, panel, token, y, y_stride);
      for (; token < x.tokens; ++token) matmul_tile<Isa, Panels, 1>(w, x, bias, panel, token, y, y_stride);
    }
  });
}

}  // namespace heed::kernels::generic
