#include "nn/mamba2.hpp"

namespace heed::nn {
namespace {

std::size_t values_of(const Mamba2Spec& spec) noexcept { return spec.heads * spec.head_dim; }
/// The number of channels of x, B and C.
std::size_t channels_of(const Mamba2Spec& spec) noexcept { return values_of(spec) + 2 * spec.groups * spec.state; }
/// Outputs of the projection: a gate, the convolution's input, and a step for each head.
std::size_t projected_of(const Mamba2Spec& spec) noexcept { return values_of(spec) + channels_of(spec) + spec.heads; }

LinearAttention::Shape shape_of(const Mamba2Spec& spec) noexcept {
  return {spec.groups, spec.heads, spec.state, spec.head_dim, false, false};
}

}  // namespace

Mamba2::Mamba2(const Mamba2Spec& spec, std::size_t width, const std::string& name, Weights& weights)
    : spec_(spec),
      convolution_(spec.taps, channels_of(spec), name + ".ssm_conv1d", weights),
      attend_(shape_of(spec)),
      in_proj_(weights.linear(name + ".ssm_in", projected_of(spec), width)),
      o_proj_(weights.linear(name + ".ssm_out", width, values_of(spec))),
      step_(spec.heads, name, weights),
      skip_(weights.table(name + ".ssm_d", spec.heads, 1)) {
  if (const std::string norm = name + ".ssm_norm.weight"; weights.contains(norm))
    norm_ = weights.table(norm, spec.groups, values_of(spec) / spec.groups);
}

ScratchNeed Mamba2::need(const Mamba2Spec& spec, const PassLimits& limits) noexcept {
  const std::uint64_t t = limits.tokens;
  return ScratchNeed()
      .allocate<float>(t * projected_of(spec))
      .allocate<float>(t * channels_of(spec))
      .allocate<float>(t * values_of(spec))
      .allocate<float>(t * spec.heads)
      .allocate<float>(t * spec.heads)
      .product(t, static_cast<std::size_t>(limits.width))
      .product(t, values_of(spec));
}

BlockTraits Mamba2::traits(const Mamba2Spec& spec, std::size_t /*width*/) noexcept {
  return {.cache = {.state = LinearAttention::state(shape_of(spec)) + CausalConvolution::state(spec.taps, channels_of(spec))},
          .recurrent = {.heads = spec.heads}};
}

void Mamba2::operator()(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t values = values_of(spec_), channels = channels_of(spec_), all = projected_of(spec_), heads = spec_.heads;
  float* projected = pass.scratch.allocate<float>(h.tokens * all);
  float* mixed = pass.scratch.allocate<float>(h.tokens * channels);
  float* out = pass.scratch.allocate<float>(h.tokens * values);
  float* steps = pass.scratch.allocate<float>(h.tokens * heads);
  float* decays = pass.scratch.allocate<float>(h.tokens * heads);
  project(h.data, h.tokens, {{&in_proj_, projected}}, pass);

  convolution_(projected + values, all, LinearAttention::state(shape_of(spec_)), mixed, pass, [&](std::size_t t) noexcept {
    pass.kernels.activate(kernels::Activation::silu, mixed + t * channels, nullptr, channels);
    const float* asked = projected + t * all + values + channels;
    for (std::size_t i = 0; i < heads; ++i) {
      const double step = step_.step(i, asked[i]);
      steps[t * heads + i] = static_cast<float>(step);
      decays[t * heads + i] = step_.decay(i, step);
    }
  });

  attend_({.queries = mixed + values + spec_.groups * spec_.state,
           .keys = mixed + values,
           .values = mixed,
           .stride = channels,
           .decays = decays,
           .betas = steps,
           .out = out},
          pass);
  pass.pool.parallel_for(h.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) finish(mixed + t * channels, projected + t * all, out + t * values, pass.kernels);
  });
  project(out, h.tokens, {{&o_proj_, h.data}}, pass);
}

/// out = norm((out + skip x) silu(gate)) of one token.
void Mamba2::finish(const float* x, float* gate, float* out, const kernels::Kernels& kernels) const noexcept {
  const std::size_t values = values_of(spec_), dim = spec_.head_dim, group = values / spec_.groups;
  for (std::size_t i = 0; i < spec_.heads; ++i) kernels.add_scaled(out + i * dim, x + i * dim, skip_[i], dim);
  kernels.activate(kernels::Activation::silu, gate, out, values);
  if (norm_.empty()) std::copy_n(gate, values, out);
  else
    for (std::size_t at = 0; at < values; at += group)
      kernels.rms_norm(gate + at, norm_.data() + at, spec_.norm.epsilon, group, out + at);
}

}  // namespace heed::nn
