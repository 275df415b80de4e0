// Matrix products over weight panels: the same tiles for one token (decode) and for many (prefill), so that a row's sum
// has one order, whatever the batch.
#pragma once

#include "kernels/generic/block_panels.hpp"
#include "kernels/generic/float_panels.hpp"
#include "kernels/generic/functions.hpp"
#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

/// Calls f with the panel layout of the dtype. The one place where types become code. The pages of one
/// family share their code for unsigned weights (Isa::SevenBitPage, NibblePage), and families that for floats (FloatPage).
template <class Isa, class F>
decltype(auto) with_panels(DType dtype, F&& f) {
  using Float = typename Isa::FloatPage;
  using Unsigned = typename Isa::SevenBitPage;
  using Nibble = typename Isa::NibblePage;
  switch (dtype) {
    case DType::f16: return f(FloatPanels<Float, F16Weights<Float>>{});
    case DType::bf16: return f(FloatPanels<Float, BF16Weights<Float>>{});
    case DType::q8_0: return f(BlockPanels<Isa, DType::q8_0>{});
    case DType::q4_0: return f(BlockPanels<Nibble, DType::q4_0>{});
    case DType::q4_1: return f(BlockPanels<Nibble, DType::q4_1>{});
    case DType::q5_0: return f(BlockPanels<Unsigned, DType::q5_0>{});
    case DType::q5_1: return f(BlockPanels<Unsigned, DType::q5_1>{});
    case DType::q2_k: return f(BlockPanels<Nibble, DType::q2_k>{});
    case DType::q3_k: return f(BlockPanels<Nibble, DType::q3_k>{});
    case DType::q4_k: return f(BlockPanels<Nibble, DType::q4_k>{});
    case DType::q5_k: return f(BlockPanels<Unsigned, DType::q5_k>{});
    case DType::q6_k: return f(BlockPanels<Unsigned, DType::q6_k>{});
    case DType::iq4_nl: return f(BlockPanels<Isa, DType::iq4_nl>{});
    case DType::iq4_xs: return f(BlockPanels<Isa, DType::iq4_xs>{});
    case DType::mxfp4: return f(BlockPanels<Isa, DType::mxfp4>{});
    case DType::tq1_0: return f(BlockPanels<Nibble, DType::tq1_0>{});
    case DType::tq2_0: return f(BlockPanels<Nibble, DType::tq2_0>{});
    case DType::f32: break;
  }
  return f(FloatPanels<Float, F32Weights<Float>>{});
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
void quantise(const MatmulInput& x, std::size_t token, std::byte* out) noexcept {
  const std::size_t n = group_size(token, x.tokens), first = token / n * n;  // a group of one begins at its token
  const std::size_t lane = token - first;
  std::byte* block = out + quantised_bytes(first, x.columns);
  const float* values = x.values + token * x.columns;
  for (std::size_t b = 0; b < x.columns / kBlock; ++b, values += kBlock, block += quantised_bytes(n, kBlock)) {
    const Wide<Isa> halves[2] = {Wide<Isa>::load(values), Wide<Isa>::load(values + kTile)};
    const auto magnitude = [](auto part) { return Isa::abs(part); };
    const float top = largest(max(map<Isa>(magnitude, halves[0]), map<Isa>(magnitude, halves[1])));
    const float inverse = steps_per_unit(127.0f, top), scale = top / 127.0f;
    std::int8_t codes[kBlock];
    std::int32_t sums[2] = {0, 0};
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t i = 0; i < Wide<Isa>::kParts; ++i) {
        const auto scaled = Isa::mul(halves[h].part[i], Isa::splat(inverse));
        const auto bounded = Isa::max(Isa::splat(-127.0f), Isa::min(Isa::splat(127.0f), scaled));
        Isa::store_low_bytes(codes + h * kTile + i * Isa::kLanes,
                             Isa::bits(Isa::add(bounded, Isa::splat(kRoundingShift))));
      }
      for (std::size_t i = 0; i < kTile; ++i) sums[h] -= codes[h * kTile + i];
    }
    const std::int32_t sum = sums[0] + sums[1];
    for (std::size_t g = 0; g < kBlock / kGroup; ++g)
      std::memcpy(block + (g * n + lane) * kGroup, codes + g * kGroup, kGroup);
    std::memcpy(block + n * kBlock + lane * 4, &scale, 4);
    std::memcpy(block + n * (kBlock + 4) + lane * 4, &sums[0], 4);
    std::memcpy(block + n * (kBlock + 8) + lane * 4, &sum, 4);
  }
}

/// One panel times kTokens tokens from `token` on.
template <class Isa, class Panels, std::size_t kTokens>
void matmul_tile(const PackedMatrix& w, const std::byte* expanded, const MatmulInput& x, const float* bias,
                 std::size_t panel, std::size_t token, float* y, std::size_t y_stride) noexcept {
  constexpr std::size_t P = Panels::P;
  typename Isa::F32 sums[kPanelVectors][kTokens];
  Panels::template tile<kTokens>(w.data + panel * w.panel_bytes, expanded, x, token, sums);
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
            float* y, std::size_t y_stride, std::byte* scratch) noexcept {
  with_panels<Isa>(w.dtype, [&]<class Panels>(Panels) {
    for (std::size_t panel = begin; panel < end; ++panel) {
      if constexpr (Panels::kExpands)
        if (x.tokens >= kTokenGroup) Panels::expand(w.data + panel * w.panel_bytes, w.columns, scratch);
      std::size_t token = 0;
      for (; group_size(token, x.tokens) == kTokenGroup; token += kTokenGroup)
        matmul_tile<Isa, Panels, kTokenGroup>(w, scratch, x, bias, panel, token, y, y_stride);
      for (; token < x.tokens; ++token)
        matmul_tile<Isa, Panels, 1>(w, nullptr, x, bias, panel, token, y, y_stride);
    }
  });
}

}  // namespace heed::kernels::generic
