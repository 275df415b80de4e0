#include "nn/kimi_delta.hpp"

#include <algorithm>
#include <cmath>

#include "base/deterministic_math.hpp"

namespace heed::nn {
namespace {

std::size_t channels_of(const KimiDeltaSpec& spec) noexcept { return spec.heads * spec.dim; }

}  // namespace

KimiDelta::KimiDelta(const KimiDeltaSpec& spec, std::size_t width, const std::string& name, Weights& weights)
    : spec_(spec),
      projections_{weights.linear(name + ".attn_q", channels_of(spec), width),
                   weights.linear(name + ".attn_k", channels_of(spec), width),
                   weights.linear(name + ".attn_v", channels_of(spec), width)},
      convolutions_{{spec.taps, channels_of(spec), name + ".ssm_conv1d_q", weights},
                    {spec.taps, channels_of(spec), name + ".ssm_conv1d_k", weights},
                    {spec.taps, channels_of(spec), name + ".ssm_conv1d_v", weights}},
      decay_down_(weights.linear(name + ".ssm_f_a", spec.dim, width)),
      decay_up_(weights.linear(name + ".ssm_f_b", channels_of(spec), spec.dim)),
      beta_proj_(weights.linear(name + ".ssm_beta", spec.heads, width)),
      gate_down_(weights.linear(name + ".ssm_g_a", spec.dim, width)),
      gate_up_(weights.linear(name + ".ssm_g_b", channels_of(spec), spec.dim)),
      o_proj_(weights.linear(name + ".attn_output", width, channels_of(spec))),
      rates_(weights.table(name + ".ssm_a", spec.heads, 1)),
      bias_(weights.vector(name + ".ssm_dt.bias", channels_of(spec))),
      norm_(spec.norm, spec.dim, name + ".ssm_norm", weights) {}

ScratchNeed KimiDelta::need(const KimiDeltaSpec& spec, const PassLimits& limits) noexcept {
  const std::uint64_t rows = limits.tokens * channels_of(spec);
  ScratchNeed need;
  for (int i = 0; i < 7; ++i) need.allocate<float>(rows);
  return need.allocate<float>(limits.tokens * spec.heads)
      .allocate<float>(limits.tokens * spec.dim)
      .product(limits.tokens, static_cast<std::size_t>(limits.width))
      .product(limits.tokens, channels_of(spec));
}

BlockTraits KimiDelta::traits(const KimiDeltaSpec& spec, std::size_t /*width*/) noexcept {
  return {
      .cache = {.state = channels_of(spec) * spec.dim + 3 * CausalConvolution::state(spec.taps, channels_of(spec))},
      .recurrent = {.heads = spec.heads, .decays = spec.dim, .key_heads = spec.heads, .key_dim = spec.dim, .value_dim = spec.dim},
      .shows_gate = true};
}

void KimiDelta::operator()(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t channels = channels_of(spec_), all = h.tokens * channels;
  float* mixed[3];
  for (float*& row : mixed) row = pass.scratch.allocate<float>(all);
  float* inputs[3];
  for (float*& row : inputs) row = pass.scratch.allocate<float>(all);
  float* decays = pass.scratch.allocate<float>(all);
  float* betas = pass.scratch.allocate<float>(h.tokens * spec_.heads);
  float* narrow = pass.scratch.allocate<float>(h.tokens * spec_.dim);
  project(h.data, h.tokens, {{&projections_[0], inputs[0]}, {&projections_[1], inputs[1]}, {&projections_[2], inputs[2]}}, pass);
  project(h.data, h.tokens, {{&decay_down_, narrow}, {&beta_proj_, betas}}, pass);
  project(narrow, h.tokens, {{&decay_up_, decays}}, pass);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t offset = channels * spec_.dim + i * CausalConvolution::state(spec_.taps, channels);
    convolutions_[i](inputs[i], channels, offset, mixed[i], pass, [&](std::size_t t) noexcept {
      pass.kernels.activate(kernels::Activation::silu, mixed[i] + t * channels, nullptr, channels);
    });
  }
  const auto show = [&](Point point, float* values) { pass.visit({point, pass.layer}, values, spec_.heads, spec_.dim); };
  show(Point::mixed_query, mixed[0]);
  show(Point::mixed_key, mixed[1]);
  show(Point::mixed_value, mixed[2]);
  const Rows rows{mixed[0], mixed[1], mixed[2], decays, betas};
  pass.pool.parallel_for(h.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    pass.kernels.activate(kernels::Activation::sigmoid, betas + begin * spec_.heads, nullptr, (end - begin) * spec_.heads);
    for (std::size_t t = begin; t < end; ++t) prepare(rows, t);
  });
  show(Point::decay, decays);
  pass.visit({Point::write, pass.layer}, betas, spec_.heads, 1);
  float *out = inputs[0], *gate = inputs[1];  // the inputs are no longer needed
  project(h.data, h.tokens, {{&gate_down_, narrow}}, pass);
  project(narrow, h.tokens, {{&gate_up_, gate}}, pass);
  show(Point::gate, gate);
  pass.pool.parallel_for(pass.segments.size() * spec_.heads, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t task = begin; task < end; ++task)
      run(task % spec_.heads, pass.segments[task / spec_.heads], rows, out, pass.layer);
  });
  show(Point::mixed_read, out);
  norm_({out, h.tokens * spec_.heads, spec_.dim}, out, pass);
  pass.kernels.activate(kernels::Activation::sigmoid, gate, out, all);
  project(gate, h.tokens, {{&o_proj_, h.data}}, pass);
}

/// Normalizes the queries and keys of token t, and computes its decays.
void KimiDelta::prepare(const Rows& rows, std::size_t t) const noexcept {
  const std::size_t dim = spec_.dim, channels = channels_of(spec_);
  for (std::size_t head = 0; head < spec_.heads; ++head) {
    const std::size_t at = t * channels + head * dim;
    for (float* const x : {rows.q + at, rows.k + at}) {
      float squares = 0;
      for (std::size_t i = 0; i < dim; ++i) squares += x[i] * x[i];
      const float length = std::max(std::sqrt(squares), spec_.norm.epsilon);
      const float divisor = x == rows.q + at ? length * std::sqrt(static_cast<float>(dim)) : length;
      for (std::size_t i = 0; i < dim; ++i) x[i] /= divisor;
    }
    for (std::size_t i = 0; i < dim; ++i) {
      const double asked = static_cast<double>(rows.decays[at + i]) + static_cast<double>(bias_[head * dim + i]);
      rows.decays[at + i] = static_cast<float>(
          deterministic_exp(static_cast<double>(rates_[head]) * deterministic_softplus(asked)));
    }
  }
}

/// M = diag(decay) M, then M += k^T (beta (v - k M)), y = q M, row by row of M: one row per key channel.
void KimiDelta::run(std::size_t head, Segment& segment, const Rows& rows, float* out, std::size_t layer) const noexcept {
  const std::size_t dim = spec_.dim, channels = channels_of(spec_);
  float* const matrix = segment.cache.state(layer) + head * dim * dim;
  for (std::size_t t = segment.row; t < segment.row + segment.count; ++t) {
    const std::size_t at = t * channels + head * dim;
    float change[KimiDeltaSpec::kMostDim];
    std::copy_n(rows.v + at, dim, change);
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j) {
        matrix[i * dim + j] *= rows.decays[at + i];
        change[j] -= rows.k[at + i] * matrix[i * dim + j];
      }
    for (std::size_t j = 0; j < dim; ++j) change[j] *= rows.betas[t * spec_.heads + head];
    float* const y = out + at;
    std::fill_n(y, dim, 0.0f);
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j) {
        matrix[i * dim + j] += rows.k[at + i] * change[j];
        y[j] += rows.q[at + i] * matrix[i * dim + j];
      }
    segment.cache.keep(t - segment.row, matrix, dim * dim);
  }
}

}  // namespace heed::nn
