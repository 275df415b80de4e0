// GPT-2: LayerNorm with bias, learned positions, fused QKV, GELU. "Language Models are Unsupervised Multitask Learners",
// Radford et al. 2019
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec gpt2(const Hyperparameters& h) {
  nn::AttentionSpec biased = attention(h);
  biased.biased = true;
  nn::DecoderSpec spec = decoder(h, layer_norm(h), pre_norm_layer(biased, plain_mlp(h)));
  spec.embedding.positions = nn::Positions::learned;
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
