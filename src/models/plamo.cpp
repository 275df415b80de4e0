// PLaMo (Preferred Networks): the first has attention and MLP in parallel; the third norms before and after each, and windows.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec plamo(const Hyperparameters& h) {
  return decoder_only(decoder(h, rms_norm(h), parallel_layer(rotary_attention(h, nn::RopePairing::halves), gated_mlp(h))));
}

ModelSpec plamo3(const Hyperparameters& h) {
  const auto attention = normed_attention(h, nn::RopePairing::halves);
  nn::DecoderSpec spec = decoder(h, rms_norm(h), sandwich_layer(attention, gated_mlp(h)));
  if (h.count("attention.sliding_window", 0) == 0) return decoder_only(std::move(spec));
  const std::vector<bool> local = local_layers(h, 8);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
    if (local[layer]) set_window(of_layer, h);
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
