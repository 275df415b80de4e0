// EXAONE 4 (arXiv:2507.11407): norms after attention and MLP instead of before. In the large model (64 layers), all layers but
// every fourth have a window; every fourth sees the whole text and has no positions.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec exaone4(const Hyperparameters& h) {
  constexpr std::size_t kLayersOfTheLarge = 64;
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h)};
  nn::DecoderSpec spec = decoder(h, post_norm_layer(attention, gated_mlp(h)));
  if (layer_count(h) == kLayersOfTheLarge)
    for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
      if (ends_group(layer, 4)) of_layer.rope.reset();
      else of_layer.window = h.count("attention.sliding_window", 4096);
    });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
