// Phi-2: attention and MLP in parallel. Phi-3 (arXiv:2404.14219): fused matrices, LongRoPE. Phi-3.5-MoE: experts, and biases also
// in its norms.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec phi2(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.biased = true;
  return decoder_only(decoder(h, layer_norm(h), parallel_layer(attention, plain_mlp(h))));
}

/// Files with the factors of LongRoPE have its magnitude, but name no scaling type.
ModelSpec phi3(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  if (h.contains("rope.scaling.attn_factor") && !h.contains("rope.scaling.type")) set_longrope(*attention.rope, h);
  return decoder_only(decoder(h, pre_norm_layer(attention, gated_mlp(h))));
}

ModelSpec phimoe(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  set_longrope(*attention.rope, h);
  return decoder_only(decoder(h, pre_norm_layer(attention, softmax_experts(h))));
}

}  // namespace heed::models
