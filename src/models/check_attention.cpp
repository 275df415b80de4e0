#include "models/check.hpp"

#include <algorithm>
#include <cmath>

namespace heed::models {

void Check::rope(const nn::RopeSpec& spec, std::size_t most, const std::string& suffix) const {
  require(spec.dims > 0 && spec.dims % 2 == 0 && spec.dims <= most, "rope.dimension_count" + suffix,
          "must be even and at most attention.key_length" + suffix);
  require(spec.axes == nn::RopeAxes::position || spec.places_pictures() || spec.dims % 4 == 0, "attention.head_count",
          "must leave heads a multiple of 4 values for the rows and columns of images");
  require(spec.theta > 1, "rope.freq_base" + suffix, "must be greater than 1");
  require(spec.factor > 0, "rope.scaling.factor", "must be greater than 0");
  const bool extended = spec.scaling == nn::RopeScaling::yarn || spec.scaling == nn::RopeScaling::longrope;
  require(!extended || spec.original_context > 0, "rope.scaling.original_context_length", "must be greater than 0");
  require(spec.fast_turns > 0, "rope.scaling.yarn_beta_fast", "must be greater than 0");
  require(spec.slow_turns > 0, "rope.scaling.yarn_beta_slow", "must be greater than 0");
  require(std::isfinite(spec.magnitude), "rope.scaling.yarn_log_multiplier", "must leave a finite magnitude");
}

void Check::operator()(const nn::AttentionSpec& spec) const {
  within(spec.heads, 1024, "attention.head_count");
  require(spec.kv_heads > 0 && spec.kv_heads <= spec.heads && spec.heads % spec.kv_heads == 0, "attention.head_count_kv",
          "must divide attention.head_count");
  // Files may have separate keys for layers with a window.
  const std::string suffix = spec.window != 0 && h_.contains(tower_ + "attention.key_length_swa") ? "_swa" : "";
  within(spec.key_dim, 4096, "attention.key_length" + suffix);
  within(spec.value_dim, 4096, "attention.value_length" + suffix);
  require(spec.window <= 1u << 26, "attention.sliding_window", "must be at most 67108864");
  require(spec.clamp >= 0, "attention.clamp_kqv", "must not be negative");
  if (spec.value_experts) {
    within(spec.value_experts->count, 4096, "attention.value_expert_count");
    within(spec.value_experts->used, std::min(spec.value_experts->count, nn::ExpertsSpec::kMostUsed),
           "attention.value_expert_used_count");
  }
  require(!spec.chunked || spec.window > 0, "attention.sliding_window", "must be greater than 0");
  require(spec.softcap >= 0, "attn_logit_softcapping", "must not be negative");
  require(spec.temperature_period > 0, "rope.scaling.original_context_length", "must be greater than 0");
  if (spec.rope) rope(*spec.rope, spec.key_dim, suffix);
}

void Check::operator()(const nn::LatentAttentionSpec& spec) const {
  within(spec.heads, 1024, "attention.head_count");
  require(spec.query_rank <= 1u << 16, "attention.q_lora_rank", "must be at most 65536");
  within(spec.latent_dim, 4096, "attention.kv_lora_rank");
  within(spec.plain_dim, 4096, "attention.key_length");
  within(spec.value_dim, 4096, "attention.value_length");
  rope(spec.rope, 4096);
}

}  // namespace heed::models
