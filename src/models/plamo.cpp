// PLaMo (Preferred Networks). PLaMo 1: attention and MLP in parallel. PLaMo 2: norms before and after each block; in most layers,
// Mamba with heads as in Mamba 2. PLaMo 3: norms as in PLaMo 2, and windows.
#include <algorithm>
#include <cmath>

#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec plamo(const Hyperparameters& h) {
  return decoder_only(decoder(h, parallel_layer(rotary_attention(h, nn::RopePairing::halves), gated_mlp(h))));
}

ModelSpec plamo2(const Hyperparameters& h) {
  nn::MambaSpec mamba = mamba_block(h);
  mamba.heads = h.count("ssm.time_step_rank");
  const std::size_t inner = h.count("ssm.inner_size");
  if (mamba.heads == 0 || inner % mamba.heads != 0)
    throw Error(ErrorCode::invalid_file, "must be a multiple of ssm.time_step_rank", h.full("ssm.inner_size"));
  mamba.head_dim = inner / mamba.heads;
  mamba.rank = std::max<std::size_t>(64, h.count("embedding_length") / 16);
  mamba.one_rate = mamba.by_head = true;
  const auto heads = h.counts("attention.head_count_kv", layer_count(h));
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.qk_norm = {.span = nn::QkNormSpan::each_head, .norm = rms_norm(h)};
  attention.scale = 1.0f / std::sqrt(static_cast<float>(attention.value_dim));
  nn::DecoderSpec spec = decoder(h, sandwich_layer(attention, gated_mlp(h)));
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (heads[i] == 0) spec.stack.layers[i].sublayers[0].block = mamba;
  return decoder_only(std::move(spec));
}

ModelSpec plamo3(const Hyperparameters& h) {
  const auto attention = normed_attention(h, nn::RopePairing::halves);
  nn::DecoderSpec spec = decoder(h, sandwich_layer(attention, gated_mlp(h)));
  if (h.count("attention.sliding_window", 0) == 0) return decoder_only(std::move(spec));
  const std::vector<bool> local = local_layers(h, 8);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
    if (local[layer]) set_window(of_layer, h);
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
