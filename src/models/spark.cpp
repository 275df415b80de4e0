// Spark 2.5 (iFlytek): gated heads, whose number differs between layers, and a separate RoPE in layers with a window.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec spark2_5(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.gated = attention.own_gate = true;
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention, gated_mlp(h, kernels::Activation::gelu_tanh)));
  const std::vector<bool> local = local_layers(h, 4);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
    if (local[layer]) set_window(of_layer, h);
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
