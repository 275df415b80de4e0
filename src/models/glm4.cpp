// GLM-4 of 2025 (arXiv:2406.12793): norms before and after attention and MLP.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec glm4(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::interleaved);
  return decoder_only(decoder(h, rms_norm(h), sandwich_layer(attention, gated_mlp(h))));
}

}  // namespace heed::models
