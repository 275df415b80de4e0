// Mellum 2 (JetBrains): experts, and YaRN in the layers without a window.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec mellum(const Hyperparameters& h) {
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(normed_attention(h, nn::RopePairing::halves), softmax_experts(h)));
  const std::vector<bool> local = local_layers(h, 4);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
    if (!local[layer]) return;
    set_window(of_layer, h);
    of_layer.rope->scaling = nn::RopeScaling::none;
    of_layer.rope->magnitude = 1;
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
