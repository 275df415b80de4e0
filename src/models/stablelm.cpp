// StableLM (arXiv:2402.17834): LayerNorm with LLaMA's MLP, RoPE on a part of each head; the 12B model norms queries and keys
// and runs attention and MLP in parallel.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec stablelm(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.qk_norm = {.span = nn::QkNormSpan::each_head, .norm = layer_norm(h), .optional = true};
  const bool parallel = h.flag("use_parallel_residual", false);
  return decoder_only(decoder(h, layer_norm(h),
                              parallel ? parallel_layer(attention, gated_mlp(h)) : pre_norm_layer(attention, gated_mlp(h))));
}

}  // namespace heed::models
