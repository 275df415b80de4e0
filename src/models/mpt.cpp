// Families with ALiBi (arXiv:2108.12409) in place of RoPE: MPT, Refact, Jais (arXiv:2308.16149), and the larger Baichuan
// (arXiv:2309.10305).
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

ModelSpec with_slopes(nn::DecoderSpec spec, float steepest) {
  if (steepest != 0) spec.stack.bias = nn::PositionBiasSpec{.kind = nn::PositionBiasKind::linear, .steepest = steepest};
  return decoder_only(std::move(spec));
}

}  // namespace

ModelSpec mpt(const Hyperparameters& h) {
  nn::AttentionSpec bounded = attention(h);
  bounded.clamp = h.number("attention.clamp_kqv", 0.0f);
  nn::MlpSpec mlp = plain_mlp(h, kernels::Activation::gelu_tanh, false);
  mlp.shrinks = true;
  nn::DecoderSpec spec = decoder(h, layer_norm(h), pre_norm_layer(bounded, mlp));
  spec.embedding.positions = nn::Positions::if_learned;
  return with_slopes(std::move(spec), h.number("attention.max_alibi_bias", 0.0f));
}

ModelSpec refact(const Hyperparameters& h) { return with_slopes(decoder(h, pre_norm_layer(attention(h), gated_mlp(h))), 8); }

ModelSpec jais(const Hyperparameters& h) {
  nn::AttentionSpec scaled = attention(h);
  scaled.scale = 1.0f / static_cast<float>(scaled.key_dim);  // 1 / head size instead of 1 / sqrt(head size) (arXiv:2203.03466)
  return with_slopes(decoder(h, layer_norm(h), pre_norm_layer(scaled, gated_mlp(h))), h.number("attention.max_alibi_bias", 0.0f));
}

/// The number of layers tells the two Baichuan models apart: 32 for the one with RoPE, like LLaMA; 40 for the one with ALiBi.
ModelSpec baichuan(const Hyperparameters& h) {
  const std::size_t layers = layer_count(h);
  if (layers == 32) return llama(h);
  return with_slopes(decoder(h, pre_norm_layer(attention(h), gated_mlp(h))), layers == 40 ? 8.0f : 0.0f);
}

}  // namespace heed::models
