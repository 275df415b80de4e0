// Ling (arXiv:2503.05139) and Ling 2 (arXiv:2510.22115) by the Bailing team: mixtures with shared experts. Ling 2 chooses among
// groups of experts, normalizes queries and keys, and applies RoPE to a part of each head.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec bailingmoe(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::interleaved);
  nn::ExpertsSpec mixture = experts_and_shared(h, false);
  mixture.gating = nn::Gating::softmax;
  return decoder_only(decoder(h, pre_norm_layer(attention, mixture)));
}

ModelSpec bailingmoe2(const Hyperparameters& h) {
  nn::ExpertsSpec mixture = experts_and_shared(h, false);
  const std::size_t width = h.count("expert_shared_feed_forward_length", mixture.expert.feed_forward);
  mixture.shared = width * h.count("expert_shared_count", 0);
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(normed_attention(h, nn::RopePairing::halves), mixture));
  make_first_dense(spec.stack, h);
  leave_out_drafts(spec.stack, h);
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
