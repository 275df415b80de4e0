// Scaled dot-product attention for one token over a KV cache (arXiv:1706.03762), and the cache's layout.
//
// Scores of 16 positions are made at once, one a lane, from keys that lie [head_dim][16]; the softmax sums over 16 lanes
// by absolute position; the output adds values position by position. So neither the batch that a position came in nor
// the vector width changes a bit.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/generic/elementwise.hpp"
#include "tensor/half.hpp"

namespace heed::kernels::generic {

/// How 16 neighbouring elements of a cache are read, and one is written.
template <class Isa, KvType kType>
struct KvElements;

template <class Isa>
struct KvElements<Isa, KvType::f32> {
  using Element = float;
  static Wide<Isa> load(const Element* p) { return Wide<Isa>::load(p); }
  static Element make(float x, float /*inverse_scale*/) { return x; }
};

template <class Isa>
struct KvElements<Isa, KvType::f16> {
  using Element = std::uint16_t;
  static Wide<Isa> load(const Element* p) {
    Wide<Isa> out;
    for (std::size_t i = 0; i < Wide<Isa>::kParts; ++i) out.part[i] = Isa::load_f16(p + i * Isa::kLanes);
    return out;
  }
  static Element make(float x, float /*inverse_scale*/) { return f32_to_f16(x); }
};

template <class Isa>
struct KvElements<Isa, KvType::int8> {
  using Element = std::int8_t;
  static Wide<Isa> load(const Element* p) {
    Wide<Isa> out;
    for (std::size_t i = 0; i < Wide<Isa>::kParts; ++i) out.part[i] = Isa::load_i8(p + i * Isa::kLanes);
    return out;
  }
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
void store_kv(const KvHead& kv, std::size_t position, const float* key, const float* value) noexcept {
  with_kv_type(kv.type, [&](auto type) {
    using Element = typename KvElements<Isa, type>::Element;
    const std::size_t d = kv.head_dim;
    Element* keys = static_cast<Element*>(kv.keys) + position / kTile * kTile * d + position % kTile;
    const float key_scale = store_vector<Isa, type>(key, d, keys, kTile);
    const float value_scale = store_vector<Isa, type>(value, d, static_cast<Element*>(kv.values) + position * d, 1);
    if constexpr (type == KvType::int8) {
      kv.key_scales[position] = key_scale;
      kv.value_scales[position] = value_scale;
    }
  });
}

/// scores[t] = scale * (query . key[t]) for t in [begin, end), in whole tiles; -infinity elsewhere in the first and last.
template <class Isa, KvType kType>
void attention_scores(const AttentionArgs& args) {
  using Elements = KvElements<Isa, kType>;
  const std::size_t d = args.kv.head_dim;
  const auto* keys = static_cast<const typename Elements::Element*>(args.kv.keys);
  for (std::size_t tile = args.begin / kTile; tile * kTile < args.end; ++tile) {
    const auto* k = keys + tile * kTile * d;
    auto score = Wide<Isa>::splat(0.0f);
    for (std::size_t i = 0; i < d; ++i) score = score + Wide<Isa>::splat(args.query[i]) * Elements::load(k + i * kTile);
    if constexpr (kType == KvType::int8) score = score * Wide<Isa>::load(args.kv.key_scales + tile * kTile);
    (score * Wide<Isa>::splat(args.scale)).store(args.scores + tile * kTile);
  }
  constexpr float kMasked = -std::numeric_limits<float>::infinity();
  for (std::size_t t = args.begin / kTile * kTile; t < args.begin; ++t) args.scores[t] = kMasked;
  for (std::size_t t = args.end; t % kTile != 0; ++t) args.scores[t] = kMasked;
}

/// output = sum over t in [begin, end), in order, of weight[t] * value[t].
template <class Isa, KvType kType>
void attention_output(const AttentionArgs& args) {
  using Elements = KvElements<Isa, kType>;
  const std::size_t d = args.kv.head_dim;
  const auto* values = static_cast<const typename Elements::Element*>(args.kv.values);
  const auto weight = [&](std::size_t t) {
    if constexpr (kType == KvType::int8) return args.scores[t] * args.kv.value_scales[t];
    else return args.scores[t];
  };
  std::size_t i = 0;
  for (; i + kTile <= d; i += kTile) {
    auto sum = Wide<Isa>::splat(0.0f);
    for (std::size_t t = args.begin; t < args.end; ++t)
      sum = sum + Wide<Isa>::splat(weight(t)) * Elements::load(values + t * d + i);
    sum.store(args.output + i);
  }
  for (; i < d; ++i) {  // head dimensions that are not a multiple of 16
    float sum = 0;
    for (std::size_t t = args.begin; t < args.end; ++t) {
      typename Elements::Element lanes[kTile] = {values[t * d + i]};
      float first[kTile];
      Elements::load(lanes).store(first);
      sum = sum + weight(t) * first[0];
    }
    args.output[i] = sum;
  }
}

template <class Isa>
void attention(const AttentionArgs& args) noexcept {
  const std::size_t first = args.begin / kTile * kTile;
  const std::size_t padded = (args.end + kTile - 1) / kTile * kTile;
  with_kv_type(args.kv.type, [&](auto type) {
    attention_scores<Isa, type>(args);
    softmax<Isa>(args.scores + first, padded - first);
    if (args.weights) {
      std::memset(args.weights, 0, args.begin * sizeof(float));
      std::memcpy(args.weights + args.begin, args.scores + args.begin, (args.end - args.begin) * sizeof(float));
    }
    attention_output<Isa, type>(args);
  });
}

}  // namespace heed::kernels::generic
