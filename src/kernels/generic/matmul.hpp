// Matrix products over weight panels. The tiles for one token (decode) and for several (prefill) sum a row in the same order.
#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/generic/block_panels.hpp"
#include "kernels/generic/float_panels.hpp"
#include "kernels/generic/functions.hpp"
#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

/// Multiplies panels by tokens from `token` on: sums[v][t], for each vector v of their rows.
template <class F32, std::size_t kTokens, std::size_t kPanels>
using Tile = void (*)(DType dtype, const SpanLayout& layout, const std::byte* const (&panels)[kPanels], const std::byte* expanded,
                      const MatmulInput& x, std::size_t token, F32 (&sums)[kPanels * kPanelVectors][kTokens]);

/// The maximum number of groups of tokens in a tile of groups.
inline constexpr std::size_t kMostGroups = kFewTokens / kTokenGroup;

/// Multiplies two panels by groups of tokens from `token` on: sums[i][v][t], for token t of group i.
template <class F32>
using GroupTile = void (*)(DType dtype, const std::byte* const (&panels)[2], const MatmulInput& x, std::size_t token,
                           std::size_t groups, F32 (*sums)[2 * kPanelVectors][kTokenGroup]);

/// The functions of one type of panels, for all instruction sets with vectors of this F32.
template <class F32>
struct PanelFunctions {
  std::size_t (*bytes)(std::size_t columns);
  void (*pack)(DType dtype, std::byte* panel, std::size_t columns, std::size_t lane, const std::byte* stored);
  void (*unpack)(DType dtype, const std::byte* panel, std::size_t columns, std::size_t lane, float* out);
  void (*expand)(DType dtype, const std::byte* panel, std::size_t columns,
                 std::byte* expanded);         // nullptr if weights are bytes or floats
  Tile<F32, kTokenGroup, 1> tile_of_tokens;    // a panel and kTokenGroup tokens; nullptr if these need expanded panels
  GroupTile<F32> tile_of_groups;               // nullptr for less common types, as is tile_of_pairs
  Tile<F32, kTokenGroup, 1> tile_of_expanded;  // as tile_of_tokens, after expand()
  Tile<F32, 1, 2> tile_of_panels;              // two panels and one token
  Tile<F32, 2, 2> tile_of_pairs;               // two panels and two tokens after the groups
  SpanLayout layout;                           // for tile_of_expanded
  bool reads_widened;                          // tile_of_expanded reads MatmulInput::widened
};

template <class Panels>
constexpr PanelFunctions<typename Panels::Instructions::F32> panel_functions() {
  PanelFunctions<typename Panels::Instructions::F32> functions{.bytes = Panels::panel_bytes,
                                                               .pack = Panels::pack,
                                                               .unpack = Panels::unpack,
                                                               .expand = nullptr,
                                                               .tile_of_tokens = nullptr,
                                                               .tile_of_groups = nullptr,
                                                               .tile_of_expanded = nullptr,
                                                               .tile_of_panels = Panels::template tile<1, 2>,
                                                               .tile_of_pairs = nullptr,
                                                               .layout = {},
                                                               .reads_widened = false};
  if constexpr (Panels::kExpands) {
    functions.expand = Panels::expand;
    functions.tile_of_expanded = Panels::kTileOfExpanded;
    functions.layout = Panels::kSpanLayout;
    functions.reads_widened = Panels::kWidened;
  }
  if constexpr (Panels::kHasTokenTile) functions.tile_of_tokens = Panels::template tile<kTokenGroup, 1>;
  if constexpr (Panels::kHasGroupTile) functions.tile_of_groups = Panels::tile_of_groups;
  if constexpr (Panels::kIsCommon) functions.tile_of_pairs = Panels::template tile<2, 2>;
  return functions;
}

template <class Panels>
inline constexpr PanelFunctions<typename Panels::Instructions::F32> kPanelFunctions = panel_functions<Panels>();

/// Writes a panel's rows of one token. Whole panels without a bias take a few stores: copying a number of bytes that is not a
/// constant calls the engine, which took 3 % of the processor time of a sweep.
template <class Isa>
[[gnu::noinline]] void write_row(const float* lanes, const float* bias, std::size_t rows, float* out) noexcept {
  constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  if (rows == P && !bias) std::memcpy(out, lanes, P * sizeof(float));
  else
    for (std::size_t i = 0; i < rows; ++i) out[i] = bias ? lanes[i] + bias[i] : lanes[i];
}

/// Writes the rows of the panels of a tile.
template <class Isa, std::size_t kTokens, std::size_t kPanels>
void write_rows(const PackedMatrix& w, const float* bias, const std::size_t (&panels)[kPanels],
                const typename Isa::F32 (&sums)[kPanels * kPanelVectors][kTokens], std::size_t token, float* y,
                std::size_t y_stride) noexcept {
  constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  float lanes[kPanels][kTokens][P];
#pragma clang loop unroll(full)
  for (std::size_t v = 0; v < kPanels * kPanelVectors; ++v)
#pragma clang loop unroll(full)
    for (std::size_t t = 0; t < kTokens; ++t) Isa::store(lanes[v / kPanelVectors][t] + v % kPanelVectors * Isa::kLanes, sums[v][t]);
  for (std::size_t p = 0; p < kPanels; ++p) {
    const std::size_t row = panels[p] * P, rows = w.rows - row < P ? w.rows - row : P;
    for (std::size_t t = 0; t < kTokens; ++t)
      write_row<Isa>(lanes[p][t], bias ? bias + row : nullptr, rows, y + (token + t) * y_stride + row);
  }
}

/// Runs a tile and writes the rows of its panels. All types share this code.
template <class Isa, std::size_t kTokens, std::size_t kPanels>
void multiply_tile(Tile<typename Isa::F32, kTokens, kPanels> tile, const SpanLayout& layout, const PackedMatrix& w,
                   const std::byte* expanded, const MatmulInput& x, const float* bias, const std::size_t (&panels)[kPanels],
                   std::size_t token, float* y, std::size_t y_stride) noexcept {
  const std::byte* data[kPanels];
  for (std::size_t p = 0; p < kPanels; ++p) data[p] = w.data + panels[p] * w.panel_bytes;
  typename Isa::F32 sums[kPanels * kPanelVectors][kTokens];
  tile(w.dtype, layout, data, expanded, x, token, sums);
  write_rows<Isa>(w, bias, panels, sums, token, y, y_stride);
}

/// As multiply_tile(), for the first `grouped` tokens, which are whole groups.
template <class Isa>
void multiply_groups(GroupTile<typename Isa::F32> tile, const PackedMatrix& w, const MatmulInput& x, const float* bias,
                     const std::size_t (&panels)[2], std::size_t grouped, float* y, std::size_t y_stride) noexcept {
  const std::byte* const data[] = {w.data + panels[0] * w.panel_bytes, w.data + panels[1] * w.panel_bytes};
  typename Isa::F32 sums[kMostGroups][2 * kPanelVectors][kTokenGroup];
  for (std::size_t token = 0; token < grouped;) {
    const std::size_t groups = std::min((grouped - token) / kTokenGroup, kMostGroups);
    tile(w.dtype, data, x, token, groups, sums);
    for (std::size_t i = 0; i < groups; ++i, token += kTokenGroup) write_rows<Isa>(w, bias, panels, sums[i], token, y, y_stride);
  }
}

/// The instruction set whose functions are used for a type. Instruction sets with equal functions name the same one, to share code.
template <class Isa, DType kType, bool kSigned = has_signed_weights(kType)>
struct WeightIsaOf {
  using Type = typename Isa::SignedIsa;
};
template <class Isa, DType kType>
struct WeightIsaOf<Isa, kType, false> {
  using Type = typename Isa::template UnsignedIsa<largest_weight(kType)>;
};

template <class Isa, DType kType>
inline constexpr const auto& kBlockPanelFunctions = kPanelFunctions<BlockPanels<typename WeightIsaOf<Isa, kType>::Type, kType>>;

/// The functions for the panels of each type.
template <class Isa>
const PanelFunctions<typename Isa::F32>& panels_of(DType dtype) noexcept {
  using Float = typename Isa::FloatIsa;
  switch (dtype) {
    case DType::f16: return kPanelFunctions<FloatPanels<Float, F16Weights<Float>>>;
    case DType::bf16: return kPanelFunctions<FloatPanels<Float, BF16Weights<Float>>>;
    case DType::q8_0: return kBlockPanelFunctions<Isa, DType::q8_0>;
    case DType::q4_0: return kBlockPanelFunctions<Isa, DType::q4_0>;
    case DType::q4_1: return kBlockPanelFunctions<Isa, DType::q4_1>;
    case DType::q5_0: return kBlockPanelFunctions<Isa, DType::q5_0>;
    case DType::q5_1: return kBlockPanelFunctions<Isa, DType::q5_1>;
    case DType::q2_k: return kBlockPanelFunctions<Isa, DType::q2_k>;
    case DType::q3_k: return kBlockPanelFunctions<Isa, DType::q3_k>;
    case DType::q4_k: return kBlockPanelFunctions<Isa, DType::q4_k>;
    case DType::q5_k: return kBlockPanelFunctions<Isa, DType::q5_k>;
    case DType::q6_k: return kBlockPanelFunctions<Isa, DType::q6_k>;
    case DType::iq4_nl: return kBlockPanelFunctions<Isa, DType::iq4_nl>;
    case DType::iq4_xs: return kBlockPanelFunctions<Isa, DType::iq4_xs>;
    case DType::mxfp4: return kBlockPanelFunctions<Isa, DType::mxfp4>;
    case DType::tq1_0:
    case DType::tq2_0: return kBlockPanelFunctions<Isa, DType::tq2_0>;
    case DType::iq2_xxs:
    case DType::iq1_s: return kBlockPanelFunctions<Isa, DType::iq2_xxs>;
    case DType::iq2_xs:
    case DType::iq2_s:
    case DType::iq1_m: return kBlockPanelFunctions<Isa, DType::iq2_xs>;
    case DType::iq3_xxs:
    case DType::iq3_s: return kBlockPanelFunctions<Isa, DType::iq3_s>;
    case DType::q1_0: return kBlockPanelFunctions<Isa, DType::q1_0>;
    case DType::q2_0: return kBlockPanelFunctions<Isa, DType::q2_0>;
    case DType::nvfp4: return kBlockPanelFunctions<Isa, DType::nvfp4>;
    case DType::f32: break;
  }
  return kPanelFunctions<FloatPanels<Float, F32Weights<Float>>>;
}

template <class Isa>
std::size_t panel_bytes(DType dtype, std::size_t columns) noexcept {
  return panels_of<Isa>(dtype).bytes(columns);
}

/// The number of rows of a panel, P.
template <class Isa>
inline constexpr std::size_t kPanelRows = kPanelVectors * Isa::kLanes;

template <class Isa>
void pack_row(const PackedMatrix& w, std::size_t row, const std::byte* stored) noexcept {
  constexpr std::size_t P = kPanelRows<Isa>;
  panels_of<Isa>(w.dtype).pack(w.dtype, w.data + row / P * w.panel_bytes, w.columns, row % P, stored);
}

template <class Isa>
void unpack_row(const PackedMatrix& w, std::size_t row, float* out) noexcept {
  constexpr std::size_t P = kPanelRows<Isa>;
  panels_of<Isa>(w.dtype).unpack(w.dtype, w.data + row / P * w.panel_bytes, w.columns, row % P, out);
}

/// Minus the sum of 16 integers that were rounded by adding kRoundingShift. Each lane of `sums` is the sum of the bits of some of
/// them; the bits of kRoundingShift are subtracted here.
template <class Isa>
std::int32_t minus_codes(typename Isa::I32 sums) {
  float lanes[Isa::kLanes];
  Isa::store(lanes, Isa::from_bits(sums));
  std::uint32_t total = std::uint32_t{kWide} * std::bit_cast<std::uint32_t>(kRoundingShift);
  for (const float lane : lanes) total -= std::bit_cast<std::uint32_t>(lane);
  return static_cast<std::int32_t>(total);
}

template <class Isa>
void quantize(const MatmulInput& x, std::size_t token, std::byte* out) noexcept {
  const std::size_t n = group_size(token, x.tokens), first = token / n * n;  // the first token of the group
  const std::size_t lane = token - first;
  std::byte* block = out + quantized_bytes(first, x.columns);
  const float* values = x.values + token * x.columns;
  for (std::size_t b = 0; b < x.columns / kBlock; ++b, values += kBlock, block += quantized_bytes(n, kBlock)) {
    const Wide<Isa> halves[2] = {Wide<Isa>::load(values), Wide<Isa>::load(values + kWide)};
    const auto magnitude = [](auto part) { return Isa::abs(part); };
    const float top = largest(max(map<Isa>(magnitude, halves[0]), map<Isa>(magnitude, halves[1])));
    const float inverse = steps_per_unit(127.0f, top), scale = top / 127.0f;
    std::int8_t codes[kBlock];
    std::int32_t sums[2];
    for (std::size_t h = 0; h < 2; ++h) {
      auto total = Isa::splat_i32(0);
      for (std::size_t i = 0; i < Wide<Isa>::kParts; ++i) {
        const auto scaled = Isa::mul(halves[h].part[i], Isa::splat(inverse));
        const auto bounded = Isa::max(Isa::splat(-127.0f), Isa::min(Isa::splat(127.0f), scaled));
        const auto rounded = Isa::bits(Isa::add(bounded, Isa::splat(kRoundingShift)));
        Isa::store_low_bytes(codes + h * kWide + i * Isa::kLanes, rounded);
        total = Isa::add(total, rounded);
      }
      sums[h] = minus_codes<Isa>(total);
    }
    const std::int32_t sum = sums[0] + sums[1];
    for (std::size_t g = 0; g < kBlock / kGroup; ++g) std::memcpy(block + (g * n + lane) * kGroup, codes + g * kGroup, kGroup);
    std::memcpy(block + n * kBlock + lane * 4, &scale, 4);
    std::memcpy(block + n * (kBlock + 4) + lane * 4, &sums[0], 4);
    std::memcpy(block + n * (kBlock + 8) + lane * 4, &sum, 4);
  }
}

template <class Isa>
void widen(const MatmulInput& x, std::size_t token, std::int16_t* out) noexcept {
  const std::byte* block = x.quantized + quantized_bytes(token, x.columns);
  std::int16_t* to = out + token * x.columns;
  if (group_size(token, x.tokens) == 1) {
    for (std::size_t b = 0; b < x.columns / kBlock; ++b, block += quantized_bytes(1, kBlock)) {
      const auto* codes = reinterpret_cast<const std::int8_t*>(block);
      for (std::size_t k = 0; k < kBlock; k += kGroup, to += kGroup) {
        to[0] = codes[k];
        to[1] = codes[k + 2];
        to[2] = static_cast<std::int16_t>(codes[k + 1] - 256 * codes[k]);
        to[3] = static_cast<std::int16_t>(codes[k + 3] - 256 * codes[k + 2]);
      }
    }
    return;
  }
  for (std::size_t b = 0; b < x.columns / kBlock; ++b, block += quantized_bytes(kTokenGroup, kBlock)) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      const auto bytes = Isa::load_bytes(block + g * kTokenGroup * kGroup);
      for (const auto half : {Isa::even_i8_as_i16(bytes), Isa::odd_i8_as_i16(bytes)}) {
        static_assert(sizeof half == kTokenGroup * kGroup);
        std::memcpy(to, &half, sizeof half);
        to += sizeof half / sizeof *to;
      }
    }
  }
}

template <class Isa>
bool reads_widened(DType dtype) noexcept {
  return panels_of<Isa>(dtype).reads_widened;
}

/// The function widen(); nullptr for targets without products that read widened codes.
template <class Isa>
inline constexpr decltype(Kernels::widen) kWiden = nullptr;
template <class Isa>
  requires(Isa::SignedIsa::kWidensTiles || Isa::template UnsignedIsa<127>::kWidensTiles)
inline constexpr decltype(Kernels::widen) kWiden<Isa> = widen<typename Isa::FloatIsa>;

/// Multiplies two panels by all tokens. Leftovers come last, while the panels are in a cache.
template <class Isa>
void multiply_pair(const PackedMatrix& w, const MatmulInput& x, const float* bias, const std::size_t (&pair)[2], float* y,
                   std::size_t y_stride, std::byte* scratch) noexcept {
  using Float = typename Isa::FloatIsa;
  const auto& functions = panels_of<Isa>(w.dtype);
  std::size_t token = x.tokens / kTokenGroup * kTokenGroup;
  if (functions.tile_of_groups && reads_once(w, x.tokens)) {
    multiply_groups<Float>(functions.tile_of_groups, w, x, bias, pair, token, y, y_stride);
  } else if (token > 0) {
    const bool expands = functions.expand && (!functions.tile_of_tokens || token > kTokenGroup);
    const auto tile = expands ? functions.tile_of_expanded : functions.tile_of_tokens;
    for (const std::size_t panel : pair) {
      if (expands) functions.expand(w.dtype, w.data + panel * w.panel_bytes, w.columns, scratch);
      for (std::size_t t = 0; t < token; t += kTokenGroup)
        multiply_tile<Float>(tile, functions.layout, w, scratch, x, bias, {panel}, t, y, y_stride);
      if (panel == pair[1]) break;
    }
  }
  for (; functions.tile_of_pairs && token + 2 <= x.tokens; token += 2)
    multiply_tile<Float>(functions.tile_of_pairs, functions.layout, w, nullptr, x, bias, pair, token, y, y_stride);
  for (; token < x.tokens; ++token)
    multiply_tile<Float>(functions.tile_of_panels, functions.layout, w, nullptr, x, bias, pair, token, y, y_stride);
}

/// Multiplies panels in pairs: adjacent ones or, where each weight is read once, ones that are far apart, as in matvec().
template <class Isa>
void matmul(const PackedMatrix& w, const MatmulInput& x, const float* bias, std::size_t begin, std::size_t end, float* y,
            std::size_t y_stride, std::byte* scratch) noexcept {
  const bool once = reads_once(w, x.tokens);
  const std::size_t pairs = panel_pairs(end - begin);
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t first = begin + (once ? i : 2 * i), second = first + (once ? pairs : 1);
    multiply_pair<Isa>(w, x, bias, {first, second < end ? second : first}, y, y_stride, scratch);
  }
}

/// Multiplies pairs of panels that are far apart, because memory is faster for two streams than for one.
template <class Isa>
void matvec(const PackedMatrix& w, const MatmulInput& x, const float* bias, std::size_t begin, std::size_t end, float* y,
            std::size_t y_stride, std::byte* scratch) noexcept {
  const std::size_t count = (w.rows + kPanelRows<Isa> - 1) / kPanelRows<Isa>, half = panel_pairs(count);
  for (std::size_t i = begin; i < end; ++i)
    multiply_pair<Isa>(w, x, bias, {i, half + i < count ? half + i : i}, y, y_stride, scratch);
}

/// Multiplies panels [begin, end) of float weights, two at a time. Where rows have few columns, multiply_tile() takes longer than
/// the tile that it runs; here, sums stay in registers until they are added to y.
template <class Isa, class Weights>
void add_panels(const PackedMatrix& w, const MatmulInput& x, float factor, std::size_t begin, std::size_t end, float* y) noexcept {
  using Panels = FloatPanels<Isa, Weights>;
  constexpr std::size_t P = Panels::P;
  for (std::size_t panel = begin; panel < end; panel += 2) {
    const std::size_t count = std::min<std::size_t>(2, end - panel), rows = std::min(count * P, w.rows - panel * P);
    const std::byte* const first = w.data + panel * w.panel_bytes;
    const std::byte* const data[] = {first, first + (count - 1) * w.panel_bytes};
    typename Isa::F32 sums[2 * kPanelVectors][1];
    Panels::template tile<1, 2>(w.dtype, {}, data, nullptr, x, 0, sums);
    const auto add_to = [&](float* out) {
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < 2 * kPanelVectors; ++v, out += Isa::kLanes)
        Isa::store(out, Isa::add(Isa::load(out), Isa::mul(sums[v][0], Isa::splat(factor))));
    };
    float* const to = y + panel * P;
    if (rows == 2 * P) {
      add_to(to);
    } else {
      float lanes[2 * P] = {};
      std::copy(to, to + rows, lanes);
      add_to(lanes);
      std::copy(lanes, lanes + rows, to);
    }
  }
}

template <class Isa>
void add_matvec(const PackedMatrix& w, const MatmulInput& x, float factor, std::size_t begin, std::size_t end, float* y) noexcept {
  const std::size_t count = (w.rows + kPanelRows<Isa> - 1) / kPanelRows<Isa>, half = panel_pairs(count);
  const auto add = w.dtype == DType::f16    ? add_panels<Isa, F16Weights<Isa>>
                   : w.dtype == DType::bf16 ? add_panels<Isa, BF16Weights<Isa>>
                                            : add_panels<Isa, F32Weights<Isa>>;
  add(w, x, factor, begin, std::min(end, half), y);
  add(w, x, factor, half + begin, std::min(half + end, count), y);
}

}  // namespace heed::kernels::generic
