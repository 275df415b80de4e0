// RMSNorm (arXiv:1910.07467) and LayerNorm (arXiv:1607.06450).
#pragma once

#include <cmath>

#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

template <class Isa>
void rms_norm(const float* x, const float* weight, float epsilon, std::size_t n, float* y) noexcept {
  auto squares = Wide<Isa>::splat(0.0f);
  for_each_wide(n, [&](std::size_t i, std::size_t count) {
    const auto v = load_wide<Isa>(x + i, count);
    squares = squares + v * v;
  });
  const auto scale = Wide<Isa>::splat(1.0f / std::sqrt(sum(squares) / static_cast<float>(n) + epsilon));
  for_each_wide(n, [&](std::size_t i, std::size_t count) {
    store_wide<Isa>(y + i, count, load_wide<Isa>(x + i, count) * scale * load_wide<Isa>(weight + i, count));
  });
}

template <class Isa>
void layer_norm(const float* x, const float* weight, const float* bias, float epsilon, std::size_t n, float* y) noexcept {
  auto total = Wide<Isa>::splat(0.0f);
  for_each_wide(n, [&](std::size_t i, std::size_t count) { total = total + load_wide<Isa>(x + i, count); });
  const float mean = sum(total) / static_cast<float>(n);
  const auto center = Wide<Isa>::splat(mean);
  auto squares = Wide<Isa>::splat(0.0f);
  for_each_wide(n, [&](std::size_t i, std::size_t count) {
    const auto v = load_wide<Isa>(x + i, count, mean) - center;  // lanes beyond the end: mean - mean = 0
    squares = squares + v * v;
  });
  const auto scale = Wide<Isa>::splat(1.0f / std::sqrt(sum(squares) / static_cast<float>(n) + epsilon));
  for_each_wide(n, [&](std::size_t i, std::size_t count) {
    auto v = (load_wide<Isa>(x + i, count) - center) * scale * load_wide<Isa>(weight + i, count);
    if (bias) v = v + load_wide<Isa>(bias + i, count);
    store_wide<Isa>(y + i, count, v);
  });
}

}  // namespace heed::kernels::generic
