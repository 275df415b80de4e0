// DeepSeek-V2 (arXiv:2405.04434) and V3 (arXiv:2412.19437): latent attention, a few dense layers, then mixtures with shared
// experts. Files with key_length_mla have the absorbed form.
#include "base/deterministic_math.hpp"
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::LatentAttentionSpec attention_with_yarn(const Hyperparameters& h) {
  nn::LatentAttentionSpec spec = latent_attention(h, nn::RopePairing::interleaved);
  // YaRN here scales the scores, not the rotated vectors.
  if (const float log_factor = h.number("rope.scaling.yarn_log_multiplier", 0.0f); log_factor != 0) {
    const double log = deterministic_log(spec.rope.factor);
    const auto scale = static_cast<float>(1.0 + static_cast<double>(log_factor) * log);
    spec.scale *= scale * scale;
    spec.rope.magnitude = static_cast<float>(1.0 / (1.0 + 0.1 * log));
  }
  return spec;
}

}  // namespace

/// Youtu-LLM has no experts.
ModelSpec deepseek2(const Hyperparameters& h) {
  const nn::LatentAttentionSpec attention = attention_with_yarn(h);
  if (!h.contains("expert_count")) return decoder_only(decoder(h, pre_norm_layer(attention, gated_mlp(h))));
  nn::ExpertsSpec mixture = experts_and_shared(h, false);
  mixture.shared = h.count("expert_shared_count", 0) * mixture.expert.feed_forward;
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention, mixture));
  make_first_dense(spec.stack, h);
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
