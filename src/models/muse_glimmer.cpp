// Muse Glimmer: norms before and after attention and MLP, and after the embedding; gated heads; positions only in layers with a
// window.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec muse_glimmer(const Hyperparameters& h) {
  nn::AttentionSpec attention = normed_attention(h, nn::RopePairing::interleaved);
  attention.gated = attention.own_gate = true;
  nn::DecoderSpec spec = decoder(h, sandwich_layer(attention, gated_mlp(h)));
  spec.stack.post_norm = {.kind = nn::NormKind::rms, .epsilon = 1e-8f};  // whatever the file says
  spec.embedding.norm = "token_embd_norm";
  spec.embedding.norm_kind = rms_norm(h);
  spec.embedding.norm_kind->weighted = false;
  spec.head = {.scale = h.number("logit_scale", 1.0f), .softcap = h.number("final_logit_softcapping", 0.0f)};
  const std::vector<bool> local = local_layers(h, 4);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
    if (local[layer]) set_window(of_layer, h);
    else of_layer.rope.reset();
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
