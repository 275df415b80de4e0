// How keys and values are kept in the cache, and read from it.
#pragma once

#include <cmath>

#include "kernels/generic/functions.hpp"
#include "kernels/kernels.hpp"
#include "tensor/half.hpp"

namespace heed::kernels::generic {

/// One type of cache. A vector that load() gives, times kUnit, is what was stored (times its position's scale, int8).
template <class Isa, KvType kType>
struct KvElements;

template <class Isa>
struct KvElements<Isa, KvType::f32> {
  using Element = float;
  static constexpr float kUnit = 1.0f;
  static typename Isa::F32 load(const Element* p) { return Isa::load(p); }
  static Element make(float x, float /*inverse_scale*/) { return x; }
};

template <class Isa>
struct KvElements<Isa, KvType::f16> {
  using Element = std::uint16_t;
  static constexpr float kUnit = 0x1p112f;
  static typename Isa::F32 load(const Element* p) { return Isa::load_f16_bits(p); }
  static Element make(float x, float /*inverse_scale*/) { return f32_to_f16(x); }
};

template <class Isa>
struct KvElements<Isa, KvType::int8> {
  using Element = std::int8_t;
  static constexpr float kUnit = 1.0f;
  static typename Isa::F32 load(const Element* p) { return Isa::load_i8(p); }
  static Element make(float x, float inverse_scale) {
    const float scaled = x * inverse_scale;
    const float below = scaled < 127.0f ? scaled : 127.0f;  // also where it is NaN
    const float bounded = below < -127.0f ? -127.0f : below;
    return static_cast<std::int8_t>((bounded + kRoundingShift) - kRoundingShift);
  }
};

template <class F>
void with_kv_type(KvType type, F&& f) {
  switch (type) {
    case KvType::f32: return f(std::integral_constant<KvType, KvType::f32>{});
    case KvType::f16: return f(std::integral_constant<KvType, KvType::f16>{});
    case KvType::int8: return f(std::integral_constant<KvType, KvType::int8>{});
  }
}

/// Writes x[n] at out[0], out[stride], ...; returns its scale (1 where the type has none).
template <class Isa, KvType kType>
float store_vector(const float* x, std::size_t n, typename KvElements<Isa, kType>::Element* out, std::size_t stride) {
  float top = 0;
  if constexpr (kType == KvType::int8)
    for (std::size_t i = 0; i < n; ++i) top = top < std::fabs(x[i]) ? std::fabs(x[i]) : top;
  const float inverse = inverse_step(top);
  for (std::size_t i = 0; i < n; ++i) out[i * stride] = KvElements<Isa, kType>::make(x[i], inverse);
  return top / 127.0f;
}

template <class Isa>
void store_kv(const KvHead& kv, std::size_t place, const float* key, const float* value) noexcept {
  with_kv_type(kv.type, [&](auto type) {
    using Element = typename KvElements<Isa, type>::Element;
    Element* keys = static_cast<Element*>(kv.keys) + place / kTile * kTile * kv.key_dim + place % kTile;
    Element* values = static_cast<Element*>(kv.values) + place * padded(kv.value_dim);
    const float key_scale = store_vector<Isa, type>(key, kv.key_dim, keys, kTile);
    const float value_scale = store_vector<Isa, type>(value, kv.value_dim, values, 1);
    if constexpr (type == KvType::int8) {
      kv.key_scales[place] = key_scale;
      kv.value_scales[place] = value_scale;
    }
  });
}

}  // namespace heed::kernels::generic
