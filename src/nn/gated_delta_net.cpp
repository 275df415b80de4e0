#include "nn/gated_delta_net.hpp"

#include <cmath>

namespace heed::nn {
namespace {

std::size_t keys_of(const GatedDeltaNetSpec& spec) noexcept { return spec.key_heads * spec.key_dim; }
std::size_t values_of(const GatedDeltaNetSpec& spec) noexcept { return spec.heads * spec.value_dim; }
/// The number of channels of queries, keys and values.
std::size_t channels_of(const GatedDeltaNetSpec& spec) noexcept { return 2 * keys_of(spec) + values_of(spec); }

LinearAttention::Shape shape_of(const GatedDeltaNetSpec& spec) noexcept {
  return {spec.key_heads, spec.heads, spec.key_dim, spec.value_dim, spec.tiled, true};
}

}  // namespace

GatedDeltaNet::GatedDeltaNet(const GatedDeltaNetSpec& spec, std::size_t width, const std::string& name, Weights& weights)
    : spec_(spec),
      convolution_(spec.taps, channels_of(spec), name + ".ssm_conv1d", weights),
      attend_(shape_of(spec)),
      o_proj_(weights.linear(name + ".ssm_out", width, values_of(spec))),
      step_(spec.heads, name, weights),
      query_scale_(spec.key_dim),
      key_scale_(spec.key_dim),
      norm_(weights.vector(name + ".ssm_norm.weight", spec.value_dim)) {
  const std::size_t channels = channels_of(spec), values = values_of(spec);
  const std::size_t shared = spec.heads / spec.key_heads;                             // number of heads that read the same key head
  if (const std::string all = name + ".ssm_in"; weights.contains(all + ".weight")) {  // key head by key head: q, k, v, gate
    const std::size_t v = shared * spec.value_dim, qkv = 2 * spec.key_dim + v, group = qkv + v;
    const auto order = RowOrder::by_part(spec.key_heads, qkv, {spec.key_dim, spec.key_dim, v});
    qkv_proj_ = weights.linear(all, channels, width, false, order, {0, channels + values, qkv, group});
    gate_proj_ = weights.linear(all, values, width, false, {}, {qkv, channels + values, v, group});
  } else {
    qkv_proj_ = weights.linear(name + ".attn_qkv", channels, width);
    gate_proj_ = weights.linear(name + ".attn_gate", values, width);
  }
  if (const std::string both = name + ".ssm_ba"; weights.contains(both + ".weight")) {  // key head by key head: beta, alpha
    beta_proj_ = weights.linear(both, spec.heads, width, false, {}, {0, 2 * spec.heads, shared, 2 * shared});
    alpha_proj_ = weights.linear(both, spec.heads, width, false, {}, {shared, 2 * spec.heads, shared, 2 * shared});
  } else {
    beta_proj_ = weights.linear(name + ".ssm_beta", spec.heads, width);
    alpha_proj_ = weights.linear(name + ".ssm_alpha", spec.heads, width);
  }
  // Queries and keys are divided by their length, but the kernel divides by the root of the mean square: the scale makes up for it.
  // Queries also get the scale of scores, 1 / sqrt(dim).
  const auto dim = static_cast<float>(spec.key_dim);
  std::fill_n(key_scale_.data(), spec.key_dim, 1.0f / std::sqrt(dim));
  std::fill_n(query_scale_.data(), spec.key_dim, 1.0f / dim);
}

ScratchNeed GatedDeltaNet::need(const GatedDeltaNetSpec& spec, const PassLimits& limits) noexcept {
  const std::uint64_t t = limits.tokens;
  return ScratchNeed()
      .allocate<float>(t * channels_of(spec))
      .allocate<float>(t * channels_of(spec))
      .allocate<float>(t * values_of(spec))
      .allocate<float>(t * spec.heads)
      .allocate<float>(t * spec.heads)
      .product(t, static_cast<std::size_t>(limits.width))
      .product(t, values_of(spec));
}

BlockTraits GatedDeltaNet::traits(const GatedDeltaNetSpec& spec, std::size_t /*width*/) noexcept {
  return {.cache = {.state = LinearAttention::state(shape_of(spec)) + CausalConvolution::state(spec.taps, channels_of(spec))},
          .recurrent = {.heads = spec.heads, .key_heads = spec.key_heads, .key_dim = spec.key_dim, .value_dim = spec.value_dim},
          .shows_gate = true,
          .shows_gated = true};
}

void GatedDeltaNet::operator()(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t channels = channels_of(spec_), values = values_of(spec_), heads = spec_.heads;
  float* qkv = pass.scratch.allocate<float>(h.tokens * channels);
  float* mixed = pass.scratch.allocate<float>(h.tokens * channels);
  float* gate = pass.scratch.allocate<float>(h.tokens * values);
  float* betas = pass.scratch.allocate<float>(h.tokens * heads);
  float* decays = pass.scratch.allocate<float>(h.tokens * heads);
  project(h.data, h.tokens, {{&qkv_proj_, qkv}, {&gate_proj_, gate}, {&beta_proj_, betas}, {&alpha_proj_, decays}}, pass);
  pass.visit({Point::gate, pass.layer}, gate, heads, spec_.value_dim);

  convolution_(qkv, channels, LinearAttention::state(shape_of(spec_)), mixed, pass,
               [&](std::size_t t) noexcept { prepare({mixed + t * channels, betas + t * heads, decays + t * heads}, t, pass); });

  float* out = qkv;  // no longer needed
  attend_({.queries = mixed,
           .keys = mixed + keys_of(spec_),
           .values = mixed + 2 * keys_of(spec_),
           .stride = channels,
           .decays = decays,
           .betas = betas,
           .out = out},
          pass);
  pass.visit({Point::mixed_read, pass.layer}, out, heads, spec_.value_dim);
  pass.pool.parallel_for(h.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t at = begin * values; at < end * values; at += spec_.value_dim)
      pass.kernels.rms_norm(out + at, norm_.data(), spec_.norm.epsilon, spec_.value_dim, out + at);
    pass.kernels.activate(kernels::Activation::silu, gate + begin * values, out + begin * values, (end - begin) * values);
  });
  pass.visit({Point::gated, pass.layer}, gate, heads, spec_.value_dim);
  project(gate, h.tokens, {{&o_proj_, h.data}}, pass);
}

void GatedDeltaNet::prepare(const Token& token, std::size_t t, Pass& pass) const noexcept {
  const kernels::Kernels& kernels = pass.kernels;
  const std::size_t keys = keys_of(spec_), dim = spec_.key_dim;
  kernels.activate(kernels::Activation::silu, token.mixed, nullptr, channels_of(spec_));
  pass.visit_parts({Point::mixed_query, pass.layer}, t, token.mixed, spec_.key_heads, dim);
  pass.visit_parts({Point::mixed_key, pass.layer}, t, token.mixed + keys, spec_.key_heads, dim);
  pass.visit_parts({Point::mixed_value, pass.layer}, t, token.mixed + 2 * keys, spec_.heads, spec_.value_dim);
  const float epsilon = spec_.norm.epsilon / static_cast<float>(dim);
  for (float* head = token.mixed; head != token.mixed + 2 * keys; head += dim)
    kernels.rms_norm(head, (head < token.mixed + keys ? query_scale_ : key_scale_).data(), epsilon, dim, head);
  kernels.activate(kernels::Activation::sigmoid, token.beta, nullptr, spec_.heads);
  for (std::size_t i = 0; i < spec_.heads; ++i) token.decay[i] = step_.decay(i, step_.step(i, token.decay[i]));
}

}  // namespace heed::nn
