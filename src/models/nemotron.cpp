// Nemotron 4 and Minitron (arXiv:2402.16819, arXiv:2407.14679): LayerNorm, RoPE on a part of each head, and an ungated MLP with
// squared ReLU; biases if the file has them.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec nemotron(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::halves);
  const auto mlp = plain_mlp(h, kernels::Activation::relu_squared, false);
  return decoder_only(decoder(h, layer_norm(h), pre_norm_layer(attention, mlp)));
}

}  // namespace heed::models
