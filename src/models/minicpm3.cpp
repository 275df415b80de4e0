// MiniCPM 3 (OpenBMB) and PLM (arXiv:2503.12167): DeepSeek's latent attention without its experts. MiniCPM has multipliers and
// LongRoPE; PLM has an ungated MLP with squared ReLU.
#include <cmath>

#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec minicpm3(const Hyperparameters& h) {
  nn::LatentAttentionSpec attention = latent_attention(h, nn::RopePairing::halves);
  set_longrope(attention.rope, h);
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention, gated_mlp(h)));
  spec.embedding.scale = 12;  // these three are not in the file
  spec.stack.residual_scale = 1.4f / std::sqrt(static_cast<float>(spec.stack.layers.size()));
  spec.head.scale = 256.0f / static_cast<float>(spec.stack.width);
  return decoder_only(std::move(spec));
}

ModelSpec plm(const Hyperparameters& h) {
  const auto attention = latent_attention(h, nn::RopePairing::interleaved);
  const auto mlp = plain_mlp(h, kernels::Activation::relu_squared, false);
  return decoder_only(decoder(h, pre_norm_layer(attention, mlp)));
}

}  // namespace heed::models
