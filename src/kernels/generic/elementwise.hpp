// Activation functions, sums, softmax and the rotation of RoPE.
#pragma once

#include "kernels/generic/functions.hpp"
#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

/// x = f(x, y) for n values, one vector at a time. The same loop processes the remaining values in a temporary vector, so that the
/// body is compiled once.
template <class Isa, class F>
void transform(float* x, const float* y, std::size_t n, F f) {
  constexpr std::size_t kLanes = Isa::kLanes;
  for (std::size_t i = 0; i < n; i += kLanes) {
    float last_x[kLanes] = {}, last_y[kLanes] = {};
    float* to = x + i;
    const float* with = y + i;
    const std::size_t left = n - i;
    if (left < kLanes) {
      copy_floats(x + i, left, last_x);
      copy_floats(y + i, left, last_y);
      to = last_x;
      with = last_y;
    }
    Isa::store(to, f(Isa::load(to), Isa::load(with)));
    if (left < kLanes) copy_floats(last_x, left, x + i);
  }
}

template <class Isa, class F>
void transform(float* x, std::size_t n, F f) {
  transform<Isa>(x, x, n, [&](auto v, auto) { return f(v); });
}

template <class Isa, class F>
void activate_with(F f, float* x, const float* up, std::size_t n) {
  transform<Isa>(x, up ? up : x, n, [&](auto v, auto u) { return up ? Isa::mul(f(v), u) : f(v); });
}

template <class Isa>
void swiglu_oai(float* gate, const float* up, std::size_t n) {
  const auto most = Isa::splat(7.0f), least = Isa::splat(-7.0f), one = Isa::splat(1.0f);
  transform<Isa>(gate, up, n, [&](auto g, auto u) {
    const auto bounded = Isa::max(least, Isa::min(most, u));
    return Isa::mul(gelu_quick<Isa>(Isa::min(most, g)), Isa::add(bounded, one));
  });
}

template <class Isa>
void activate(Activation f, float* x, const float* up, std::size_t n) noexcept {
  switch (f) {
    case Activation::relu: return activate_with<Isa>([](auto v) { return Isa::max(Isa::splat(0.0f), v); }, x, up, n);
    case Activation::relu_squared: return activate_with<Isa>([](auto v) { return relu_squared<Isa>(v); }, x, up, n);
    case Activation::silu: return activate_with<Isa>([](auto v) { return silu<Isa>(v); }, x, up, n);
    case Activation::gelu: return activate_with<Isa>([](auto v) { return gelu<Isa>(v); }, x, up, n);
    case Activation::gelu_tanh: return activate_with<Isa>([](auto v) { return gelu_tanh<Isa>(v); }, x, up, n);
    case Activation::gelu_quick: return activate_with<Isa>([](auto v) { return gelu_quick<Isa>(v); }, x, up, n);
    case Activation::sigmoid: return activate_with<Isa>([](auto v) { return sigmoid<Isa>(v); }, x, up, n);
    case Activation::swiglu_oai: return swiglu_oai<Isa>(x, up, n);
  }
}

template <class Isa>
void xielu(const Xielu& f, float* x, std::size_t n) noexcept {
  const auto zero = Isa::splat(0.0f), one = Isa::splat(1.0f), linear = Isa::splat(f.linear);
  const auto positive = Isa::splat(f.positive), negative = Isa::splat(f.negative);
  transform<Isa>(x, n, [&](auto v) {
    const auto below = Isa::mul(negative, Isa::sub(Isa::sub(exp<Isa>(v), one), v));
    const auto curved = Isa::add(Isa::where_less(zero, v, Isa::mul(positive, Isa::mul(v, v))), Isa::where_less(v, zero, below));
    return Isa::add(curved, Isa::mul(linear, v));
  });
}

template <class Isa>
void add(float* x, const float* y, std::size_t n) noexcept {
  transform<Isa>(x, y, n, [](auto a, auto b) { return Isa::add(a, b); });
}

template <class Isa>
void add_scaled(float* x, const float* y, float factor, std::size_t n) noexcept {
  const auto f = Isa::splat(factor);
  transform<Isa>(x, y, n, [&](auto a, auto b) { return Isa::add(a, Isa::mul(b, f)); });
}

template <class Isa>
void scale(float* x, float factor, std::size_t n) noexcept {
  const auto f = Isa::splat(factor);
  transform<Isa>(x, n, [&](auto v) { return Isa::mul(v, f); });
}

/// cap * tanh(x / cap), arXiv:2408.00118
template <class Isa>
typename Isa::F32 softcapped(typename Isa::F32 x, float cap) {
  return Isa::mul(tanh<Isa>(Isa::mul(x, Isa::splat(1.0f / cap))), Isa::splat(cap));
}

template <class Isa>
void softcap(float* x, float cap, std::size_t n) noexcept {
  transform<Isa>(x, n, [&](auto v) { return softcapped<Isa>(v, cap); });
}

/// exp(x - max) / sum. A value of -infinity has weight zero.
template <class Isa>
void softmax(float* x, std::size_t n) noexcept {
  constexpr float kLowest = -3.402823466e38f;
  auto top = Wide<Isa>::splat(kLowest);
  for_each_wide(n, [&](std::size_t i, std::size_t count) { top = max(top, load_wide<Isa>(x + i, count, kLowest)); });
  const auto shift = Wide<Isa>::splat(largest(top));
  auto total = Wide<Isa>::splat(0.0f);
  for_each_wide(n, [&](std::size_t i, std::size_t count) {
    const auto e = map<Isa>([](auto v) { return exp<Isa>(v); }, load_wide<Isa>(x + i, count, kLowest) - shift);
    total = total + e;  // lanes past the end are e^lowest = 0
    store_wide<Isa>(x + i, count, e);
  });
  const auto inverse = Wide<Isa>::splat(1.0f / sum(total));
  for_each_wide(n,
                [&](std::size_t i, std::size_t count) { store_wide<Isa>(x + i, count, load_wide<Isa>(x + i, count) * inverse); });
}

template <class Isa>
void rope(float* x, std::size_t heads, std::size_t head_dim, std::size_t rotary, const float* cosines,
          const float* sines) noexcept {
  const std::size_t half = rotary / 2;
  for (std::size_t h = 0; h < heads; ++h) {
    float* first = x + h * head_dim;
    float* second = first + half;
    for_each_wide(half, [&](std::size_t i, std::size_t count) {
      const auto a = load_wide<Isa>(first + i, count), b = load_wide<Isa>(second + i, count);
      const auto c = load_wide<Isa>(cosines + i, count), s = load_wide<Isa>(sines + i, count);
      store_wide<Isa>(first + i, count, a * c - b * s);
      store_wide<Isa>(second + i, count, a * s + b * c);
    });
  }
}

}  // namespace heed::kernels::generic
