// LFM2 (arXiv:2511.23404): most layers mix positions by short convolutions; those with kv heads have attention. LFM2-MoE has
// experts except in its first layers.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec lfm2(const Hyperparameters& h) {
  nn::DecoderSpec spec = decoder(h, {});
  spec.stack.final_norm = "token_embd_norm";
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h)};
  const auto kv_heads = h.counts("attention.head_count_kv", spec.stack.layers.size());
  nn::ExpertsSpec mixture;
  if (has_experts(h)) mixture = experts(h, true);
  mixture.selection_bias = true;
  const std::size_t dense = has_experts(h) ? h.count("leading_dense_block_count", 0) : spec.stack.layers.size();
  for (std::size_t i = 0; i < spec.stack.layers.size(); ++i) {
    attention.kv_heads = kv_heads[i];
    nn::BlockSpec block = attention;
    if (kv_heads[i] == 0) block = nn::ShortConvolutionSpec{h.count("shortconv.l_cache")};
    spec.stack.layers[i] = i < dense ? pre_norm_layer(block, gated_mlp(h)) : pre_norm_layer(block, mixture);
  }
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
