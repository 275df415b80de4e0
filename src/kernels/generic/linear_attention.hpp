// Attention by a state instead of a cache: arXiv:2006.16236, with decay (arXiv:2405.21060) and the delta rule
// (arXiv:2412.06464).
#pragma once

#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

/// The sum of a[i] b[i].
template <class Isa>
float dot(const float* a, const float* b, std::size_t n) {
  auto total = Wide<Isa>::splat(0.0f);
  for_each_wide(n, [&](std::size_t i, std::size_t count) {
    total = total + load_wide<Isa>(a + i, count) * load_wide<Isa>(b + i, count);
  });
  return sum(total);
}

/// One token. The state is read twice and written once: first for q M and k M, as they were before it, then for what the token
/// adds. So y = q (g M + k^T d) = g q M + (q k) d.
template <class Isa, bool kDelta>
void attend_token(float* state, std::size_t rows, const float* q, const float* k, const Wide<Isa>& v, float decay, float beta,
                  float* out, std::size_t columns) {
  const auto g = Wide<Isa>::splat(decay);
  auto asked = Wide<Isa>::splat(0.0f), known = Wide<Isa>::splat(0.0f);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = Wide<Isa>::load(state + i * kWide);
    asked = asked + row * Wide<Isa>::splat(q[i]);
    if constexpr (kDelta) known = known + row * Wide<Isa>::splat(k[i]);
  }
  auto d = v;
  if constexpr (kDelta) d = d - known * g;
  d = d * Wide<Isa>::splat(beta);
  for (std::size_t i = 0; i < rows; ++i) {
    float* row = state + i * kWide;
    (Wide<Isa>::load(row) * g + d * Wide<Isa>::splat(k[i])).store(row);
  }
  store_wide<Isa>(out, columns, asked * g + d * Wide<Isa>::splat(dot<Isa>(q, k, rows)));
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

/// Each channel on its own: the sum over a few tokens.
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
