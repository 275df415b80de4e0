// Command R (attention and MLP in parallel, LayerNorm without bias) and Command R7B (arXiv:2504.00698), where all layers but every
// fourth have a window and RoPE, and the others neither.
#include "models/common.hpp"
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

}  // namespace heed::models
