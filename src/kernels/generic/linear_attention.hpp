// Linear attention, with a state instead of a cache (arXiv:2006.16236), with decay (arXiv:2405.21060) and the delta rule
// (arXiv:2412.06464).
#pragma once

#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

template <class Isa>
float dot(const float* a, const float* b, std::size_t n) {
  auto total = Wide<Isa>::splat(0.0f);
  for_each_wide(n, [&](std::size_t i, std::size_t count) {
    total = total + load_wide<Isa>(a + i, count) * load_wide<Isa>(b + i, count);
  });
  return sum(total);
}

/// One token, with the state M before it and the decay g: y = q (g M + k^T d) = g q M + (q k) d. Computes q M and k M in one loop
/// over the state, then updates it in another.
template <class Isa, bool kDelta>
void attend_token(float* state, std::size_t rows, const float* q, const float* k, const Wide<Isa>& v, float decay, float beta,
                  float* out, std::size_t columns) {
  const auto g = Wide<Isa>::splat(decay);
  auto q_m = Wide<Isa>::splat(0.0f), k_m = Wide<Isa>::splat(0.0f);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = Wide<Isa>::load(state + i * kWide);
    q_m = q_m + row * Wide<Isa>::splat(q[i]);
    if constexpr (kDelta) k_m = k_m + row * Wide<Isa>::splat(k[i]);
  }
  auto d = v;
  if constexpr (kDelta) d = d - k_m * g;
  d = d * Wide<Isa>::splat(beta);
  for (std::size_t i = 0; i < rows; ++i) {
    float* row = state + i * kWide;
    (Wide<Isa>::load(row) * g + d * Wide<Isa>::splat(k[i])).store(row);
  }
  store_wide<Isa>(out, columns, q_m * g + d * Wide<Isa>::splat(dot<Isa>(q, k, rows)));
}

template <class Isa, bool kDelta>
void attend_tokens(const LinearAttentionArgs& a) {
  for (std::size_t t = 0; t < a.tokens; ++t)
    attend_token<Isa, kDelta>(a.state, a.rows, a.queries + t * a.key_stride, a.keys + t * a.key_stride,
                              load_wide<Isa>(a.values + t * a.value_stride, a.columns), a.decays[t * a.gate_stride],
                              a.betas[t * a.gate_stride], a.out + t * a.out_stride, a.columns);
}

template <class Isa>
void linear_attention(const LinearAttentionArgs& args) noexcept {
  if (args.delta) attend_tokens<Isa, true>(args);
  else attend_tokens<Isa, false>(args);
}

/// A sum over a few tokens, for each channel separately.
template <class Isa>
void convolve(const float* const* inputs, const float* weights, const float* bias, std::size_t taps, std::size_t n,
              float* out) noexcept {
  for_each_wide(n, [&](std::size_t i, std::size_t count) {
    auto total = bias ? load_wide<Isa>(bias + i, count) : Wide<Isa>::splat(0.0f);
    for (std::size_t tap = 0; tap < taps; ++tap)
      total = total + load_wide<Isa>(weights + tap * n + i, count) * load_wide<Isa>(inputs[tap] + i, count);
    store_wide<Isa>(out + i, count, total);
  });
}

}  // namespace heed::kernels::generic
