// T5 (arXiv:1910.10683), and its encoder alone: relative position biases, unscaled scores, pre-norm.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::AttentionSpec t5_attention(const Hyperparameters& h, nn::Mask mask) {
  nn::AttentionSpec spec = attention(h);
  spec.mask = mask;
  spec.scale = 1.0f;
  spec.output = "o";
  return spec;
}

/// T5 1.0 has ungated ReLU, 1.1 gated GELU; the tensors of the file distinguish them.
nn::MlpSpec t5_mlp(const Hyperparameters& h) {
  nn::MlpSpec spec = gated_mlp(h, kernels::Activation::gelu_tanh);
  spec.without_gate = kernels::Activation::relu;
  return spec;
}

void set_up(nn::StackSpec& stack, const Hyperparameters& h, std::string_view prefix) {
  stack.prefix = prefix;
  stack.bias = nn::PositionBiasSpec{.kind = nn::PositionBiasKind::relative,
                                    .buckets = h.count("attention.relative_buckets_count", 32)};
}

}  // namespace

ModelSpec t5encoder(const Hyperparameters& h) {
  nn::DecoderSpec parts = decoder(h, pre_norm_layer(t5_attention(h, nn::Mask::none), t5_mlp(h)));
  set_up(parts.stack, h, "enc.");
  return {.encoder = encoder(parts, h)};
}

ModelSpec t5(const Hyperparameters& h) {
  nn::AttentionSpec cross = t5_attention(h, nn::Mask::none);
  cross.cross = true;
  cross.name = "cross_attn";
  const nn::LayerSpec layer{.sublayers = {{.pre_norm = "attn_norm", .block = t5_attention(h, nn::Mask::causal)},
                                          {.pre_norm = "cross_attn_norm", .block = cross},
                                          {.pre_norm = "ffn_norm", .block = t5_mlp(h)}}};

  ModelSpec spec = t5encoder(h);
  spec.decoder = decoder(h, layer);
  if (h.contains("decoder_block_count")) spec.decoder->stack.layers.resize(layer_count(h, "decoder_block_count"), layer);
  set_up(spec.decoder->stack, h, "dec.");
  spec.decoder_start = static_cast<std::int32_t>(h.count("decoder_start_token_id", 0));
  return spec;
}

}  // namespace heed::models
