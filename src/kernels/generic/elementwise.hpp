// Activations, sums, softmax and the rotation of RoPE.
#pragma once

#include "kernels/generic/functions.hpp"
#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

template <class Isa, class F>
void activate_with(F f, float* x, const float* up, std::size_t n) {
  for_each_tile(n, [&](std::size_t i, std::size_t count) {
    auto v = map<Isa>(f, load_tile<Isa>(x + i, count));
    if (up) v = v * load_tile<Isa>(up + i, count);
    store_tile<Isa>(x + i, count, v);
  });
}

template <class Isa>
void activate(Activation f, float* x, const float* up, std::size_t n) noexcept {
  switch (f) {
    case Activation::silu: return activate_with<Isa>([](auto v) { return silu<Isa>(v); }, x, up, n);
    case Activation::gelu_tanh: return activate_with<Isa>([](auto v) { return gelu_tanh<Isa>(v); }, x, up, n);
  }
}

template <class Isa>
void add(float* x, const float* y, std::size_t n) noexcept {
  for_each_tile(n, [&](std::size_t i, std::size_t count) {
    store_tile<Isa>(x + i, count, load_tile<Isa>(x + i, count) + load_tile<Isa>(y + i, count));
  });
}

/// exp(x - max) / sum. A lone -infinity among the values has weight zero.
template <class Isa>
void softmax(float* x, std::size_t n) noexcept {
  constexpr float kLowest = -3.402823466e38f;
  auto top = Wide<Isa>::splat(kLowest);
  for_each_tile(n, [&](std::size_t i, std::size_t count) { top = max(top, load_tile<Isa>(x + i, count, kLowest)); });
  const auto shift = Wide<Isa>::splat(largest(top));
  auto total = Wide<Isa>::splat(0.0f);
  for_each_tile(n, [&](std::size_t i, std::size_t count) {
    const auto e = map<Isa>([](auto v) { return exp<Isa>(v); }, load_tile<Isa>(x + i, count, kLowest) - shift);
    total = total + e;  // lanes past the end are e^lowest = 0
    store_tile<Isa>(x + i, count, e);
  });
  const auto inverse = Wide<Isa>::splat(1.0f / sum(total));
  for_each_tile(n, [&](std::size_t i, std::size_t count) {
    store_tile<Isa>(x + i, count, load_tile<Isa>(x + i, count) * inverse);
  });
}

template <class Isa>
void rope(float* x, std::size_t heads, std::size_t head_dim, std::size_t rotary, const float* cosines,
          const float* sines) noexcept {
  const std::size_t half = rotary / 2;
  for (std::size_t h = 0; h < heads; ++h) {
    float* first = x + h * head_dim;
    float* second = first + half;
    for_each_tile(half, [&](std::size_t i, std::size_t count) {
      const auto a = load_tile<Isa>(first + i, count), b = load_tile<Isa>(second + i, count);
      const auto c = load_tile<Isa>(cosines + i, count), s = load_tile<Isa>(sines + i, count);
      store_tile<Isa>(first + i, count, a * c - b * s);
      store_tile<Isa>(second + i, count, a * s + b * c);
    });
  }
}

}  // namespace heed::kernels::generic
