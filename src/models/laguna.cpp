// Laguna (Poolside): gated heads, whose number differs between layers; YaRN in the layers without a window; experts.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec laguna(const Hyperparameters& h) {
  nn::AttentionSpec attention = normed_attention(h, nn::RopePairing::halves);
  attention.gated = attention.own_gate = true;
  attention.gate_curve = nn::GateCurve::softplus;
  const auto mixture = experts_and_shared(h, false, nn::Gating::sigmoid);
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention, mixture));
  make_first_dense(spec.stack, h);
  if (h.count("attention.sliding_window", 0) == 0) return decoder_only(std::move(spec));
  const std::vector<bool> local = local_layers(h, 4, Global::first);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
    if (!local[layer]) return;
    set_window(of_layer, h);
    of_layer.rope->scaling = nn::RopeScaling::none;
    of_layer.rope->magnitude = 1;
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
