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
void swiglu_oai(float* gate, const float* up, std::size_t n) {
  constexpr float kLimit = 7.0f;
  for_each_tile(n, [&](std::size_t i, std::size_t count) {
    const auto most = Wide<Isa>::splat(kLimit), least = Wide<Isa>::splat(-kLimit);
    const auto g = min(load_tile<Isa>(gate + i, count), most);
    const auto u = max(least, min(load_tile<Isa>(up + i, count), most)) + Wide<Isa>::splat(1.0f);
    store_tile<Isa>(gate + i, count, map<Isa>([](auto v) { return gelu_quick<Isa>(v); }, g) * u);
  });
}

template <class Isa>
void activate(Activation f, float* x, const float* up, std::size_t n) noexcept {
  switch (f) {
    case Activation::relu: return activate_with<Isa>([](auto v) { return Isa::max(Isa::splat(0.0f), v); }, x, up, n);
    case Activation::silu: return activate_with<Isa>([](auto v) { return silu<Isa>(v); }, x, up, n);
    case Activation::gelu: return activate_with<Isa>([](auto v) { return gelu<Isa>(v); }, x, up, n);
    case Activation::gelu_tanh: return activate_with<Isa>([](auto v) { return gelu_tanh<Isa>(v); }, x, up, n);
    case Activation::gelu_quick: return activate_with<Isa>([](auto v) { return gelu_quick<Isa>(v); }, x, up, n);
    case Activation::swiglu_oai: return swiglu_oai<Isa>(x, up, n);
  }
}

template <class Isa>
void add(float* x, const float* y, std::size_t n) noexcept {
  for_each_tile(n, [&](std::size_t i, std::size_t count) {
    store_tile<Isa>(x + i, count, load_tile<Isa>(x + i, count) + load_tile<Isa>(y + i, count));
  });
}

template <class Isa>
void sigmoid(float* x, std::size_t n) noexcept {
  activate_with<Isa>([](auto v) { return sigmoid<Isa>(v); }, x, nullptr, n);
}

template <class Isa>
void add_scaled(float* x, const float* y, float factor, std::size_t n) noexcept {
  for_each_tile(n, [&](std::size_t i, std::size_t count) {
    const auto added = load_tile<Isa>(y + i, count) * Wide<Isa>::splat(factor);
    store_tile<Isa>(x + i, count, load_tile<Isa>(x + i, count) + added);
  });
}

template <class Isa>
void scale(float* x, float factor, std::size_t n) noexcept {
  for_each_tile(n, [&](std::size_t i, std::size_t count) {
    store_tile<Isa>(x + i, count, load_tile<Isa>(x + i, count) * Wide<Isa>::splat(factor));
  });
}

/// cap * tanh(x / cap), arXiv:2408.00118
template <class Isa>
Wide<Isa> softcapped(Wide<Isa> x, float cap) {
  const auto bounded = map<Isa>([](auto v) { return tanh<Isa>(v); }, x * Wide<Isa>::splat(1.0f / cap));
  return bounded * Wide<Isa>::splat(cap);
}

template <class Isa>
void softcap(float* x, float cap, std::size_t n) noexcept {
  for_each_tile(n, [&](std::size_t i, std::size_t count) {
    store_tile<Isa>(x + i, count, softcapped<Isa>(load_tile<Isa>(x + i, count), cap));
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
