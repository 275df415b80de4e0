// Copies keys and values, position by position, between the layout of a target (kv_elements.hpp, kv_blocks.hpp) and a layout that
// does not depend on the target.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "kernels/generic/kv_block_transfer.hpp"
#include "kernels/generic/kv_elements.hpp"

namespace heed::kernels::generic {

/// The saved memory of `count` positions of a head: keys, values, and the scales of both for integer types.
template <class Element, class Byte>
struct SavedPlaces {
  Byte *keys, *values, *key_scales, *value_scales;

  SavedPlaces(const KvHead& kv, std::size_t count, Byte* saved)
      : keys(saved),
        values(keys + count * kv.key_dim * sizeof(Element)),
        key_scales(values + count * kv.value_dim * sizeof(Element)),
        value_scales(key_scales + count * sizeof(float)) {}
};

/// Calls key(place, i, n) and value(place, i) for all elements of a position: elements [i, i + n) of its key begin at `place`, with
/// n a constant, and element i of its value is at `place`.
template <class Isa, std::size_t kGroup, class Key, class Value>
void each_place(const KvHead& kv, std::size_t position, Key key, Value value) {
  constexpr std::size_t C = kColumns<Isa>;
  const std::size_t keys = key_place<Isa, kGroup>(position, 0, kv.key_dim);
  std::size_t i = 0;
#pragma clang loop unroll(disable) vectorize(disable)  // small code suffices: memory is slower
  for (; i + kGroup <= kv.key_dim; i += kGroup) key(keys + i * C, i, std::integral_constant<std::size_t, kGroup>());
  if (i < kv.key_dim) key(keys + i * C, i, std::integral_constant<std::size_t, 1>());
  const std::size_t values = value_place<Isa, kGroup>(position, 0, kv.value_dim);
  for (i = 0; i < kv.value_dim; i += C)
#pragma clang loop unroll(disable) vectorize(disable)
    for (std::size_t j = 0; j < std::min(C, kv.value_dim - i); ++j) value(values + i * kWide + j * kGroup, i + j);
}

template <class Isa>
void save_kv(const KvHead& kv, std::size_t index, std::size_t count, std::byte* saved) noexcept {
  if (has_blocks(kv.type)) {
    transfer_blocks<Isa>(kv, index, count, saved, true);
    return;
  }
  with_kv_type(kv.type, [&](auto type) {
    using Elements = KvElements<Isa, type>;
    using Element = typename Elements::Element;
    const ChunkPlaces<Element> chunk(kv, index);
    const SavedPlaces<Element, std::byte> to(kv, count, saved);
    for (std::size_t p = 0; p < count; ++p) {
      std::byte* const key = to.keys + p * kv.key_dim * sizeof(Element);
      std::byte* const value = to.values + p * kv.value_dim * sizeof(Element);
      each_place<Isa, Elements::kGroup>(
          kv, p,
          [&](std::size_t place, std::size_t i, auto n) {
            std::memcpy(key + i * sizeof(Element), chunk.keys + place, n() * sizeof(Element));
          },
          [&](std::size_t place, std::size_t i) {
            std::memcpy(value + i * sizeof(Element), chunk.values + place, sizeof(Element));
          });
    }
    if constexpr (Elements::kIntegers) {
      std::memcpy(to.key_scales, chunk.key_scales, count * sizeof(float));
      std::memcpy(to.value_scales, chunk.value_scales, count * sizeof(float));
    }
  });
}

template <class Isa>
bool load_kv(const KvHead& kv, std::size_t index, std::size_t count, const std::byte* saved) noexcept {
  if (has_blocks(kv.type)) return transfer_blocks<Isa>(kv, index, count, const_cast<std::byte*>(saved), false);
  bool fine = true;
  with_kv_type(kv.type, [&](auto type) {
    using Elements = KvElements<Isa, type>;
    using Element = typename Elements::Element;
    const ChunkPlaces<Element> chunk(kv, index);
    const SavedPlaces<Element, const std::byte> from(kv, count, saved);
    // Dot products fit into 32 bits if the norms of keys are limited (kv_elements.hpp). Rounding may increase each code of a key.
    const float norm = 32000.0f + std::sqrt(static_cast<float>(kv.key_dim));
    for (std::size_t p = 0; p < count; ++p) {
      const std::byte* const key = from.keys + p * kv.key_dim * sizeof(Element);
      const std::byte* const value = from.values + p * kv.value_dim * sizeof(Element);
      float squares = 0;
      each_place<Isa, Elements::kGroup>(
          kv, p,
          [&](std::size_t place, std::size_t i, auto n) {
            std::memcpy(chunk.keys + place, key + i * sizeof(Element), n() * sizeof(Element));
            for (std::size_t j = place; j < place + n(); ++j)
              squares += static_cast<float>(chunk.keys[j]) * static_cast<float>(chunk.keys[j]);
          },
          [&](std::size_t place, std::size_t i) {
            std::memcpy(chunk.values + place, value + i * sizeof(Element), sizeof(Element));
          });
      fine = fine && (!Elements::kIntegers || squares <= norm * norm * 1.001f);
    }
    if constexpr (Elements::kIntegers) {
      std::memcpy(chunk.key_scales, from.key_scales, count * sizeof(float));
      std::memcpy(chunk.value_scales, from.value_scales, count * sizeof(float));
      for (std::size_t p = 0; p < count; ++p)
        fine = fine && std::isfinite(chunk.key_scales[p]) && std::isfinite(chunk.value_scales[p]);
    }
  });
  return fine;
}

}  // namespace heed::kernels::generic
