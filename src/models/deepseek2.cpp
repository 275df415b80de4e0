// DeepSeek-V2 (arXiv:2405.04434) and V3 (arXiv:2412.19437): latent attention, a few dense layers, then mixtures with shared
// experts. Files with key_length_mla have the absorbed form.
#include <cmath>

#include "base/deterministic_math.hpp"
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::LatentAttentionSpec latent_attention(const Hyperparameters& h) {
  nn::LatentAttentionSpec spec;
  spec.absorbed = h.contains("attention.key_length_mla");
  const std::size_t key = h.count(spec.absorbed ? "attention.key_length_mla" : "attention.key_length");
  spec.heads = h.count("attention.head_count");
  spec.query_rank = h.count("attention.q_lora_rank", 0);
  spec.latent_dim = h.count("attention.kv_lora_rank");
  spec.value_dim = h.count(spec.absorbed ? "attention.value_length_mla" : "attention.value_length");
  spec.norm = rms_norm(h);
  spec.rope = rope_spec(h, nn::RopePairing::interleaved, h.count("rope.dimension_count"));
  if (spec.rope.dims >= key)
    throw Error(ErrorCode::invalid_file, "must be less than attention.key_length", h.full("rope.dimension_count"));
  spec.plain_dim = key - spec.rope.dims;
  spec.scale = 1.0f / std::sqrt(static_cast<float>(key));

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

ModelSpec deepseek2(const Hyperparameters& h) {
  nn::ExpertsSpec mixture = experts(h, false);
  mixture.selection_bias = true;
  const std::size_t shared = h.count("expert_shared_count", 0);
  if (shared > mixture.count) throw Error(ErrorCode::invalid_file, "must be at most expert_count", h.full("expert_shared_count"));
  mixture.shared = shared * mixture.expert.feed_forward;
  const auto attention = latent_attention(h);
  nn::DecoderSpec spec = decoder(h, rms_norm(h), pre_norm_layer(attention, mixture));
  const std::size_t dense = h.count("leading_dense_block_count", 0);
  for (std::size_t i = 0; i < dense && i < spec.stack.layers.size(); ++i)
    spec.stack.layers[i] = pre_norm_layer(attention, gated_mlp(h));
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
