// EAGLE-3 (arXiv:2503.01840): a layer that drafts for another model, from the inputs of three of that model's layers.
#include "models/drafts.hpp"

namespace heed::models {

nn::DraftSpec eagle3(const Hyperparameters& h, const nn::StackSpec& target) {
  if (layer_count(h) != 1) throw Error(ErrorCode::unsupported, "must be one layer", h.full("block_count"));
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::interleaved);
  nn::DraftSpec spec{.embedding = embedding(h),
                     .stack = decoder(h, {}).stack,
                     .features = features(h, target),
                     .eagle = nn::EagleSpec{.norms_features = h.flag("norm_before_fc", false),
                                            .adds_normed = h.flag("norm_before_residual", false)}};
  attention.input = 2 * spec.stack.width;
  spec.stack.layers[0] = {.sublayers = {{.block = attention}, {.pre_norm = "ffn_norm", .block = gated_mlp(h)}}};
  spec.stack.final_norm = {};
  return spec;
}

}  // namespace heed::models
