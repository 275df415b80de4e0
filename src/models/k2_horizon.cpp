// K2 Horizon (MBZUAI): norms over groups of channels, norms of queries and keys with weights of each head, gates of heads with an
// unbounded curve; in the mixture, values have experts, too.
#include "models/common.hpp"
#include "models/experts.hpp"
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
  if (!has_experts(h)) return decoder_only(std::move(spec));
  make_first_dense(spec.stack, h);
  const std::size_t values = h.count("attention.value_expert_count", 0), dense = h.count("leading_dense_block_count", 0);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t i) {
    if (values == 0 || i < dense) return;
    const auto& mixture = std::get<nn::ExpertsSpec>(mlp);
    of_layer.value_experts = nn::ValueExpertsSpec{.count = values,
                                                  .used = h.count("attention.value_expert_used_count"),
                                                  .gating = mixture.gating,
                                                  .normalized = mixture.normalized,
                                                  .scale = mixture.scale};
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
