// Mamba (arXiv:2312.00752), Falcon Mamba (arXiv:2410.05355) and Jamba (arXiv:2403.19887), with attention in some layers and experts in
// those that have a router.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec mamba(const Hyperparameters& h) {
  nn::DecoderSpec spec = decoder(h, {});
  spec.stack.layers.assign(layer_count(h), {.sublayers = {{.pre_norm = "attn_norm", .block = mamba_block(h)}}});
  return decoder_only(std::move(spec));
}

ModelSpec jamba(const Hyperparameters& h) {
  nn::ExpertsSpec mixture = experts(h, false);
  mixture.gating = nn::Gating::softmax;  // these are fixed, whatever the file says
  mixture.normalized = false;
  mixture.scale = 1;
  mixture.expert.feed_forward = mixture.dense = h.count("feed_forward_length");
  const auto heads = h.counts("attention.head_count_kv", layer_count(h));
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention(h), mixture));
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (heads[i] == 0) spec.stack.layers[i].sublayers[0].block = mamba_block(h);
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
