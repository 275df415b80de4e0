// StarCoder2 (arXiv:2402.19173): LayerNorm, biases everywhere, grouped queries, GELU.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec starcoder2(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.biased = true;
  return decoder_only(decoder(h, layer_norm(h), pre_norm_layer(attention, plain_mlp(h))));
}

}  // namespace heed::models
