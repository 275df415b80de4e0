// BLOOM (arXiv:2211.05100): ALiBi instead of positions, and a norm of the embedding.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec bloom(const Hyperparameters& h) {
  nn::AttentionSpec biased = attention(h);
  biased.biased = true;
  nn::DecoderSpec spec = decoder(h, layer_norm(h), pre_norm_layer(biased, plain_mlp(h)));
  spec.embedding.norm = "token_embd_norm";
  spec.stack.bias = nn::PositionBiasSpec{.kind = nn::PositionBiasKind::linear, .steepest = 8};
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
