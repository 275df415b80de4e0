// The layout of keys and values in the cache, and their multiplication, for types without blocks (kv_blocks.hpp has the others).
//
// A product computes kColumns<Isa> columns at a time, one per lane: positions in products with keys, dimensions in those with
// values. Each lane has kGroup consecutive rows. In each chunk, keys precede values, so that attention reads contiguous memory:
//   keys    [position / kColumns][key_dim / kGroup][kColumns][kGroup]
//   values  [position / 16][value_dim / kColumns][16 / kGroup][kColumns][kGroup]
//   scales of the keys, then of the values  [position], for integer types
// Integers are multiplied by integers, two of 16 bits per lane: the sums are exact and need a quarter of the instructions.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/generic/functions.hpp"
#include "kernels/generic/vectors.hpp"
#include "kernels/generic/wide.hpp"
#include "kernels/kernels.hpp"
#include "tensor/half.hpp"

namespace heed::kernels::generic {

/// The number of vectors, and of columns, across a tile of a product.
template <class Isa>
inline constexpr std::size_t kColumnVectors = Isa::kLanes < kWide ? 2 : 1;
template <class Isa>
inline constexpr std::size_t kColumns = kColumnVectors<Isa> * Isa::kLanes;

/// The elements of a type of cache.
///   Element  the type that is stored
///   Factor   the type that elements are multiplied by
///   Sum      a vector of sums of such products
///   kUnit    load() returns an element's value divided by kUnit
template <class Isa, KvType kType>
struct KvElements;

template <class Isa>
struct FloatElements {
  using Factor = float;
  using Sum = typename Isa::F32;
  static constexpr std::size_t kGroup = 1;
  static constexpr bool kIntegers = false;

  static Sum zero() { return Isa::splat(0.0f); }
  static auto splat(const Factor* p) { return Isa::splat(*p); }
  static Sum add_product(Sum sum, typename Isa::F32 factor, typename Isa::F32 row) { return Isa::add(sum, Isa::mul(factor, row)); }
};

template <class Isa>
struct KvElements<Isa, KvType::f32> : FloatElements<Isa> {
  using Element = float;
  static constexpr float kUnit = 1.0f;
  static typename Isa::F32 load(const Element* p) { return Isa::load(p); }
  static Element make(float x) { return x; }
};

template <class Isa>
struct KvElements<Isa, KvType::f16> : FloatElements<Isa> {
  using Element = std::uint16_t;
  static constexpr float kUnit = 0x1p112f;
  static typename Isa::F32 load(const Element* p) { return Isa::load_f16_bits(p); }
  static Element make(float x) { return f32_to_f16(x); }
};

/// Integers with a scale for each position. Dot products fit into 32 bits: of a query and a key, because their norms are limited;
/// of kWide weights and values, because the sum of the weights is kWeightSum.
template <class Isa>
struct IntegerElements {
  using Factor = std::int16_t;
  using Sum = typename Isa::I32;
  static constexpr std::size_t kGroup = 2;
  static constexpr bool kIntegers = true;
  static constexpr float kUnit = 1.0f;
  static constexpr float kQueryNorm = 32000.0f;
  static constexpr float kWeightSum = 32767.0f;

  static Sum zero() { return Isa::splat_i32(0); }
  static auto splat(const Factor* p) { return Isa::splat_group(reinterpret_cast<const std::byte*>(p)); }
  static Sum add_product(Sum sum, typename Isa::Bytes factor, typename Isa::Bytes row) { return Isa::dot_i16(sum, factor, row); }
};

template <class Isa>
struct KvElements<Isa, KvType::int16> : IntegerElements<Isa> {
  using Element = std::int16_t;
  static constexpr float kTop = 32767.0f;
  static auto load(const Element* p) { return Isa::load_bytes(reinterpret_cast<const std::byte*>(p)); }
};

/// Calls f with the type as a constant. Does nothing for types with blocks.
template <class F>
void with_kv_type(KvType type, F&& f) {
  switch (type) {
    case KvType::f32: return f(std::integral_constant<KvType, KvType::f32>{});
    case KvType::f16: return f(std::integral_constant<KvType, KvType::f16>{});
    case KvType::int16: return f(std::integral_constant<KvType, KvType::int16>{});
    case KvType::q8:
    case KvType::q4: return;
  }
}

/// The memory of one head in a chunk.
template <class Element>
struct ChunkPlaces {
  Element *keys, *values;
  float *key_scales, *value_scales;  // for integer types; for others, beyond the end of the chunk, and unused

  ChunkPlaces(const KvHead& kv, std::size_t chunk)
      : keys(reinterpret_cast<Element*>(kv.chunk(chunk))),
        values(keys + kAttentionChunk * key_width(kv.key_dim)),
        key_scales(reinterpret_cast<float*>(values + kAttentionChunk * value_width(kv.value_dim))),
        value_scales(key_scales + kAttentionChunk) {}
};

/// The index of element i of the key, or of the value, of a position in its chunk.
template <class Isa, std::size_t kGroup>
constexpr std::size_t key_place(std::size_t position, std::size_t i, std::size_t key_dim) {
  constexpr std::size_t C = kColumns<Isa>;
  const std::size_t block = position / C * C * key_width(key_dim);
  return block + i / kGroup * kGroup * C + position % C * kGroup + i % kGroup;
}
template <class Isa, std::size_t kGroup>
constexpr std::size_t value_place(std::size_t position, std::size_t i, std::size_t value_dim) {
  constexpr std::size_t C = kColumns<Isa>;
  const std::size_t block = position / kWide * kWide * value_width(value_dim) + i / C * C * kWide;
  return block + position % kWide / kGroup * kGroup * C + i % C * kGroup + position % kGroup;
}

/// Calls put(i, code) with x[i] times `steps`, rounded to the nearest integer in [-top, top], ties to even, for i in [0, n). The
/// code of NaN is top.
template <class Isa, class Put>
void quantize_row(const float* x, std::size_t n, float top, float steps, Put put) {
  for_each_wide(n, [&](std::size_t first, std::size_t count) {
    const auto scaled = load_wide<Isa>(x + first, count) * Wide<Isa>::splat(steps);
    std::int16_t codes[kWide];
    for (std::size_t i = 0; i < Wide<Isa>::kParts; ++i) {
      const auto bounded = Isa::max(Isa::splat(-top), Isa::min(Isa::splat(top), scaled.part[i]));
      Isa::store_low_halves(codes + i * Isa::kLanes, Isa::bits(Isa::add(bounded, Isa::splat(kRoundingShift))));
    }
    for (std::size_t i = 0; i < count; ++i) put(first + i, codes[i]);
  });
}

/// The largest finite magnitude. Compares bits as integers, which have the same order.
[[gnu::noinline]] static inline float magnitude(const float* x, std::size_t n) {
  constexpr std::int32_t kInfinite = 0x7f800000;
  const auto size = [](auto bits) { return (bits & 0x7fffffff) < kInfinite ? bits & 0x7fffffff : bits * 0; };
  Vector<std::int32_t> tops = {};
  std::size_t i = 0;
#pragma clang loop unroll(disable)
  for (; i + 4 <= n; i += 4) {
    const auto sizes = size((Vector<std::int32_t>)load_vector(x + i));
    tops = tops < sizes ? sizes : tops;
  }
  std::int32_t top = std::max({tops[0], tops[1], tops[2], tops[3]});
#pragma clang loop unroll(disable) vectorize(disable)
  for (; i < n; ++i) top = std::max(top, size(std::bit_cast<std::int32_t>(x[i])));
  return std::bit_cast<float>(top);
}

/// The Euclidean norm.
template <class Isa>
float norm(const float* x, std::size_t n) {
  auto squares = Wide<Isa>::splat(0.0f);
  for_each_wide(n, [&](std::size_t i, std::size_t count) {
    const auto v = load_wide<Isa>(x + i, count);
    squares = squares + v * v;
  });
  return std::sqrt(sum(squares));
}

template <class Isa>
void store_elements(const KvHead& kv, std::size_t position, const float* key, const float* value) {
  with_kv_type(kv.type, [&](auto type) {
    using Elements = KvElements<Isa, type>;
    using Element = typename Elements::Element;
    constexpr std::size_t kGroup = Elements::kGroup;
    const ChunkPlaces<Element> chunk(kv, position / kAttentionChunk);
    const std::size_t within = position % kAttentionChunk;
    const auto put_key = [&](std::size_t i, auto x) {
      chunk.keys[key_place<Isa, kGroup>(within, i, kv.key_dim)] = static_cast<Element>(x);
    };
    const auto put_value = [&](std::size_t i, auto x) {
      chunk.values[value_place<Isa, kGroup>(within, i, kv.value_dim)] = static_cast<Element>(x);
    };
    if constexpr (Elements::kIntegers) {
      // keys are scaled by their norm, as queries are
      const float key_top = norm<Isa>(key, kv.key_dim), value_top = magnitude(value, kv.value_dim);
      quantize_row<Isa>(key, kv.key_dim, Elements::kQueryNorm, steps_per_unit(Elements::kQueryNorm, key_top), put_key);
      quantize_row<Isa>(value, kv.value_dim, Elements::kTop, steps_per_unit(Elements::kTop, value_top), put_value);
      chunk.key_scales[within] = key_top / Elements::kQueryNorm;
      chunk.value_scales[within] = value_top / Elements::kTop;
    } else {
      for (std::size_t i = 0; i < kv.key_dim; ++i) put_key(i, Elements::make(key[i]));
      for (std::size_t i = 0; i < kv.value_dim; ++i) put_value(i, Elements::make(value[i]));
    }
  });
}

}  // namespace heed::kernels::generic
