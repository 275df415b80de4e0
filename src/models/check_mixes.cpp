#include "models/check.hpp"

#include <cmath>

namespace heed::models {

void Check::rope(const nn::RopeSpec& spec, std::size_t most) const {
  require(spec.dims > 0 && spec.dims % 2 == 0 && spec.dims <= most, "rope.dimension_count",
          "must be even and at most attention.key_length");
  require(spec.theta > 1, "rope.freq_base", "must be greater than 1");
  require(spec.factor > 0, "rope.scaling.factor", "must be greater than 0");
  const bool extended = spec.scaling == nn::RopeScaling::yarn || spec.scaling == nn::RopeScaling::longrope;
  require(!extended || spec.original_context > 0, "rope.scaling.original_context_length", "must be greater than 0");
  require(spec.fast_turns > 0, "rope.scaling.yarn_beta_fast", "must be greater than 0");
  require(spec.slow_turns > 0, "rope.scaling.yarn_beta_slow", "must be greater than 0");
  require(std::isfinite(spec.magnitude), "rope.scaling.yarn_log_multiplier", "must leave a finite magnitude");
}

void Check::operator()(const nn::AttentionSpec& spec) const {
  within(spec.heads, 1024, "attention.head_count");
  require(spec.kv_heads > 0 && spec.kv_heads <= spec.heads && spec.heads % spec.kv_heads == 0,
          "attention.head_count_kv", "must divide attention.head_count");
  within(spec.key_dim, 4096, "attention.key_length");
  within(spec.value_dim, 4096, "attention.value_length");
  require(spec.window <= 1u << 26, "attention.sliding_window", "must be at most 67108864");
  require(spec.softcap >= 0, "attn_logit_softcapping", "must not be negative");
  require(spec.temperature_period > 0, "rope.scaling.original_context_length", "must be greater than 0");
  if (spec.rope) rope(*spec.rope, spec.key_dim);
}

void Check::operator()(const nn::LatentAttentionSpec& spec) const {
  within(spec.heads, 1024, "attention.head_count");
  require(spec.query_rank <= 1u << 16, "attention.q_lora_rank", "must be at most 65536");
  within(spec.latent_dim, 4096, "attention.kv_lora_rank");
  within(spec.plain_dim, 4096, "attention.key_length");
  within(spec.value_dim, 4096, "attention.value_length");
  rope(spec.rope, 4096);
}

void Check::operator()(const nn::ShortConvolutionSpec& spec) const { within(spec.taps, 64, "shortconv.l_cache"); }

void Check::operator()(const nn::GatedDeltaNetSpec& spec) const {
  within(spec.taps, 64, "ssm.conv_kernel");
  within(spec.heads, 1024, "ssm.time_step_rank");
  within(spec.key_heads, 1024, "ssm.group_count");
  require(spec.heads % spec.key_heads == 0, "ssm.group_count", "must divide ssm.time_step_rank");
  within(spec.key_dim, 1024, "ssm.state_size");
  require(spec.value_dim > 0 && spec.value_dim <= 1024, "ssm.inner_size", "must be from 1 to 1024 for each of ssm.time_step_rank");
}

void Check::operator()(const nn::Mamba2Spec& spec) const {
  within(spec.taps, 64, "ssm.conv_kernel");
  within(spec.heads, 1024, "ssm.time_step_rank");
  require(spec.head_dim > 0 && spec.head_dim <= 1024, "ssm.inner_size", "must be from 1 to 1024 for each of ssm.time_step_rank");
  within(spec.groups, 1024, "ssm.group_count");
  require(spec.heads % spec.groups == 0, "ssm.group_count", "must divide ssm.time_step_rank");
  within(spec.state, 1024, "ssm.state_size");
}

void Check::operator()(const nn::MlpSpec& spec) const { within(spec.feed_forward, 1u << 20, "feed_forward_length"); }
void Check::operator()(const nn::ExpertsSpec& spec) const {
  within(spec.count, 4096, "expert_count");
  within(spec.used, nn::ExpertsSpec::kMostUsed, "expert_used_count");
  within(spec.expert.feed_forward, 1u << 20, "expert_feed_forward_length");
  require(spec.latent <= 1u << 17, "moe_latent_size", "must be at most 131072");
  require(spec.shared <= 1u << 20, "expert_shared_feed_forward_length", "must be at most 1048576");
  within(spec.groups, nn::ExpertsSpec::kMostGroups, "expert_group_count");
  require(spec.count % spec.groups == 0, "expert_group_count", "must divide expert_count");
  require(spec.groups_used > 0 && spec.groups_used <= spec.groups, "expert_group_used_count",
          "must be from 1 to expert_group_count");
  require(spec.used <= spec.count / spec.groups * spec.groups_used, "expert_used_count",
          "must be at most the number of experts to choose from");
}

}  // namespace heed::models
