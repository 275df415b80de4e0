// Small decoders of two kinds, and their parts, to be varied.
#pragma once

#include <cmath>

#include "nn/spec.hpp"

namespace heed::test {

inline nn::AttentionSpec rotary_attention() {
  nn::AttentionSpec spec{.heads = 4, .kv_heads = 2, .key_dim = 10, .value_dim = 10, .scale = 1 / std::sqrt(10.0f)};
  spec.rope = nn::RopeSpec{.dims = 8};
  return spec;
}

/// `layers` layers of attention and MLP, each after a norm.
inline nn::DecoderSpec pre_norm_decoder(const nn::BlockSpec& attention, const nn::BlockSpec& mlp, std::size_t layers = 2) {
  nn::DecoderSpec spec;
  spec.embedding = {.vocabulary = 19, .width = 24, .context_length = 40};
  spec.stack.width = 24;
  spec.stack.layers.assign(layers,
                           {.sublayers = {{.pre_norm = "attn_norm", .block = attention}, {.pre_norm = "ffn_norm", .block = mlp}}});
  return spec;
}

/// RMSNorm, RoPE, grouped queries, gated SiLU.
inline nn::DecoderSpec llama_like() { return pre_norm_decoder(rotary_attention(), nn::MlpSpec{.feed_forward = 36}); }

/// LayerNorm, learned positions, biases, GELU.
inline nn::DecoderSpec gpt2_like() {
  nn::AttentionSpec attention = rotary_attention();
  attention.rope.reset();
  attention.kv_heads = 4;
  attention.biased = true;
  nn::DecoderSpec spec = pre_norm_decoder(
      attention, nn::MlpSpec{.feed_forward = 36, .activation = kernels::Activation::gelu_tanh, .gated = false, .biased = true});
  spec.stack.norm.kind = nn::NormKind::layer;
  spec.embedding.positions = nn::Positions::learned;
  return spec;
}

/// Changes every block of this type in the stack.
template <class Spec, class Change>
void change_each(nn::StackSpec& stack, Change change) {
  for (nn::LayerSpec& layer : stack.layers)
    for (nn::SublayerSpec& sublayer : layer.sublayers)
      if (auto* block = std::get_if<Spec>(&sublayer.block)) change(*block);
}
template <class Change>
void change_attention(nn::DecoderSpec& spec, Change change) {
  change_each<nn::AttentionSpec>(spec.stack, change);
}

}  // namespace heed::test
