// Hunyuan (Tencent), dense: applies RoPE to queries and keys before their norms.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec hunyuan_dense(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h), .after_rope = true};
  return decoder_only(decoder(h, rms_norm(h), pre_norm_layer(attention, gated_mlp(h))));
}

}  // namespace heed::models
