// K2 Horizon (MBZUAI): norms over groups of channels, norms of queries and keys with weights of each head, gates of heads with an
// unbounded curve; in the mixture, values have experts, too.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec k2_horizon(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.qk_norm = {.span = nn::QkNormSpan::each_head, .norm = rms_norm(h)};
  attention.gated = attention.own_gate = attention.gate_optional = true;
  attention.gate_curve = nn::GateCurve::softplus2;
  nn::NormSpec norm = rms_norm(h);
  norm.groups = h.count("attention.group_norm_groups", 1);
  const nn::BlockSpec mlp = has_experts(h) ? nn::BlockSpec(experts_and_shared(h, false, nn::Gating::sigmoid)) : gated_mlp(h);
  nn::DecoderSpec spec = decoder(h, norm, pre_norm_layer(attention, mlp));
  if (has_experts(h)) make_first_dense(spec.stack, h);
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
