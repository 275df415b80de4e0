// Talkie: norms without weights, also after the embedding; each layer adds a share of the normalized embedding; queries and keys
// are normalized after RoPE, and each query head has a factor.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec talkie(const Hyperparameters& h) {
  nn::NormSpec norm = rms_norm(h);
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.qk_norm = {.span = nn::QkNormSpan::head_factor, .norm = norm, .after_rope = true};
  norm.weighted = false;
  nn::LayerSpec layer = pre_norm_layer(attention, gated_mlp(h));
  layer.input_share = "layer_output_scale";
  nn::DecoderSpec spec = decoder(h, norm, layer);
  spec.embedding.norm = "token_embd_norm";
  spec.head.scale = h.number("logit_scale", 1.0f);
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
