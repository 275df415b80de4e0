// Arcee's AFM: LLaMA with an ungated MLP of squared ReLUs (arXiv:2109.08668).
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec arcee(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::interleaved);
  const auto mlp = plain_mlp(h, kernels::Activation::relu_squared, false);
  return decoder_only(decoder(h, pre_norm_layer(attention, mlp)));
}

}  // namespace heed::models
