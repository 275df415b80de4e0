// Falcon (arXiv:2311.16867): attention and MLP in parallel. With one kv head (7B) they share a norm; with more (40B) each has its
// own; attn_norm_2 is the norm of attention.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec falcon(const Hyperparameters& h) {
  const nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  nn::LayerSpec layer = parallel_layer(attention, plain_mlp(h, kernels::Activation::gelu_tanh, false));
  if (attention.kv_heads > 1) layer.sublayers[0].pre_norm = "attn_norm_2";
  return decoder_only(decoder(h, layer_norm(h), layer));
}

}  // namespace heed::models
