// Arcee's mixtures of experts (Trinity): norms before and after attention and MLP, gated heads, and windows. Every fourth layer has
// no position encoding.
#include <cmath>

#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec afmoe(const Hyperparameters& h) {
  nn::AttentionSpec attention = normed_attention(h, nn::RopePairing::halves);
  attention.gated = attention.own_gate = true;
  const auto mixture = experts_and_shared(h, false, nn::Gating::sigmoid);
  nn::DecoderSpec spec = decoder(h, sandwich_layer(attention, mixture));
  make_first_dense(spec.stack, h);
  spec.embedding.scale = std::sqrt(static_cast<float>(spec.stack.width));
  const std::vector<bool> local = local_layers(h, 4);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
    if (local[layer]) set_window(of_layer, h);
    if (ends_group(layer, 4)) of_layer.rope.reset();  // every fourth layer, whatever the pattern of windows
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
