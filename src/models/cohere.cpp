// Command R (attention and MLP in parallel, LayerNorm without bias) and Command R7B (arXiv:2504.00698), in which every fourth layer
// has neither window nor RoPE, and the others have both.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec command_r(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::interleaved);
  attention.qk_norm = {.span = nn::QkNormSpan::each_head, .norm = layer_norm(h), .optional = true};
  nn::DecoderSpec spec = decoder(h, layer_norm(h), parallel_layer(attention, gated_mlp(h)));
  spec.head.scale = h.number("logit_scale", 1.0f);
  return decoder_only(std::move(spec));
}

ModelSpec cohere2(const Hyperparameters& h) {
  ModelSpec spec = command_r(h);
  for_each_attention(spec.decoder->stack, [&](nn::AttentionSpec& attention, std::size_t layer) {
    if (ends_group(layer, 4)) attention.rope.reset();
    else attention.window = h.count("attention.sliding_window");
  });
  return spec;
}

/// Command A's mixture of experts. The first layer of each group has no window. Half of the sum of the chosen and shared experts'
/// outputs is added.
ModelSpec cohere2moe(const Hyperparameters& h) {
  const nn::NormSpec norm = h.contains("attention.layer_norm_rms_epsilon") ? rms_norm(h) : layer_norm(h);
  const nn::ExpertsSpec mixture = experts_and_shared(h, false, nn::Gating::sigmoid);
  nn::LayerSpec layer = parallel_layer(rotary_attention(h, nn::RopePairing::interleaved), mixture);
  if (mixture.shared != 0) layer.sublayers[1].factor = 0.5f;
  nn::DecoderSpec spec = decoder(h, norm, layer);
  spec.head.scale = h.number("logit_scale", 1.0f);
  make_first_dense(spec.stack, h);
  const std::size_t dense = h.count("leading_dense_block_count", 0);
  for (std::size_t i = 0; i < dense && i < spec.stack.layers.size(); ++i) spec.stack.layers[i].sublayers[1].factor = 1;
  const std::vector<bool> local = local_layers(h, 4, Global::first);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& attention, std::size_t i) {
    if (local[i]) set_window(attention, h);
    else if (i >= dense) attention.rope.reset();
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
