// GLM-4 of 2025 (arXiv:2406.12793): norms before and after attention and MLP. GLM-4V has images, with positions on several axes;
// its files have the rows of RoPE in halves.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec glm4(const Hyperparameters& h) {
  const bool has_axes = h.contains("rope.dimension_sections");
  auto attention = rotary_attention(h, has_axes ? nn::RopePairing::halves : nn::RopePairing::interleaved);
  set_rope_sections(*attention.rope, h, nn::RopeAxes::consecutive);
  return decoder_only(decoder(h, sandwich_layer(attention, gated_mlp(h))));
}

/// GLM-4.5 (arXiv:2508.06471): mixtures with shared experts.
ModelSpec glm4moe(const Hyperparameters& h) {
  nn::AttentionSpec attention = normed_attention(h, nn::RopePairing::halves);
  attention.qk_norm->optional = true;
  set_rope_sections(*attention.rope, h, nn::RopeAxes::consecutive);
  nn::LayerSpec layer = pre_norm_layer(attention, experts_and_shared(h, false, nn::Gating::sigmoid));
  layer.sublayers[1].pre_norm = "post_attention_norm";
  nn::DecoderSpec spec = decoder(h, layer);
  make_first_dense(spec.stack, h);
  leave_out_drafts(spec.stack, h);
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
