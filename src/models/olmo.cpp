// OLMo (arXiv:2402.00838): LayerNorm without weights; some models clamp queries, keys and values. OLMo 2 (arXiv:2501.00656): norms
// after attention and MLP instead of before, and norms of queries and keys across all heads. OLMo 3 adds windows. OLMoE
// (arXiv:2409.02060): norms before, and experts.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::AttentionSpec widely_normed_attention(const Hyperparameters& h) {
  nn::AttentionSpec spec = rotary_attention(h, nn::RopePairing::halves);
  spec.qk_norm = {.span = nn::QkNormSpan::all_heads, .norm = rms_norm(h)};
  return spec;
}

}  // namespace

ModelSpec olmo(const Hyperparameters& h) {
  nn::NormSpec norm = layer_norm(h);
  norm.weighted = false;
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::interleaved);
  attention.clamp = h.number("attention.clamp_kqv", 0.0f);
  return decoder_only(decoder(h, norm, pre_norm_layer(attention, gated_mlp(h))));
}

ModelSpec olmo2(const Hyperparameters& h) {
  nn::DecoderSpec spec = decoder(h, post_norm_layer(widely_normed_attention(h), gated_mlp(h)));
  const std::size_t window = h.count("attention.sliding_window", 0);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& local, std::size_t i) {
    if (window == 0 || ends_group(i, 4)) return;
    local.window = window;
    local.rope->scaling = nn::RopeScaling::none;
    local.rope->factor = local.rope->magnitude = 1.0f;
  });
  return decoder_only(std::move(spec));
}

ModelSpec olmoe(const Hyperparameters& h) {
  return decoder_only(decoder(h, pre_norm_layer(widely_normed_attention(h), experts(h, false))));
}

}  // namespace heed::models
