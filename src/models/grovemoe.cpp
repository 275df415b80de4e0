// GroveMoE (arXiv:2508.07785): each group of experts shares a small expert, which processes the sum of their outputs.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec grovemoe(const Hyperparameters& h) {
  nn::ExpertsSpec mixture = softmax_experts(h);
  mixture.chunk_size = h.count("experts_per_group");
  if (mixture.chunk_size == 0) throw Error(ErrorCode::invalid_file, "must not be 0", h.full("experts_per_group"));
  mixture.chunk_feed_forward = h.count("expert_chunk_feed_forward_length");
  mixture.chunk_scale = h.number("expert_group_scale", 0.05f);
  return decoder_only(decoder(h, pre_norm_layer(normed_attention(h, nn::RopePairing::halves), mixture)));
}

}  // namespace heed::models
