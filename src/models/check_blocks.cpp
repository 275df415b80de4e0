#include "models/check.hpp"

namespace heed::models {

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

void Check::operator()(const nn::MambaSpec& spec) const {
  within(spec.taps, 64, "ssm.conv_kernel");
  within(spec.heads, 1u << 17, "ssm.inner_size");
  within(spec.head_dim, 1024, "ssm.inner_size");
  within(spec.state, nn::MambaSpec::kMostState, "ssm.state_size");
  within(spec.rank, 1u << 16, "ssm.time_step_rank");
}

void Check::operator()(const nn::RwkvTimeMixSpec& spec) const {
  within(spec.head_dim, nn::RwkvTimeMixSpec::kMostHead, "wkv.head_size");
  if (spec.version == 6) within(spec.mix_rank, 1u << 16, "time_mix_extra_dim");
  within(spec.decay_rank, 1u << 16, spec.version == 6 ? "time_decay_extra_dim" : "attention.decay_lora_rank");
  if (spec.version == 6) return;
  within(spec.rate_rank, 1u << 16, "attention.iclr_lora_rank");
  within(spec.value_rank, 1u << 16, "attention.value_residual_mix_lora_rank");
  require(spec.gate_rank <= 1u << 16, "attention.gate_lora_rank", "must be at most 65536");
}

void Check::operator()(const nn::RwkvChannelMixSpec& spec) const { within(spec.feed_forward, 1u << 20, "feed_forward_length"); }

void Check::operator()(const nn::KimiDeltaSpec& spec) const {
  within(spec.taps, 64, "ssm.conv_kernel");
  within(spec.heads, 1024, "attention.head_count");
  within(spec.dim, nn::KimiDeltaSpec::kMostDim, "kda.head_dim");
}

void Check::operator()(const nn::PerLayerInputSpec& spec) const {
  within(spec.width, 1u << 16, "embedding_length_per_layer_input");
}

void Check::operator()(const nn::LaurelSpec& spec) const { within(spec.rank, 1u << 16, "laurel_rank"); }

void Check::operator()(const nn::MlpSpec& spec) const {
  within(spec.feed_forward, 1u << 20, "feed_forward_length");
  require(spec.limit >= 0, "swiglu_clamp_exp", "must not be negative");
}

void Check::operator()(const nn::ExpertsSpec& spec) const {
  within(spec.count, 4096, "expert_count");
  within(spec.used, nn::ExpertsSpec::kMostUsed, "expert_used_count");
  within(spec.expert.feed_forward, 1u << 20, "expert_feed_forward_length");
  require(spec.latent <= 1u << 17, "moe_latent_size", "must be at most 131072");
  require(spec.shared <= 1u << 20, "expert_shared_feed_forward_length", "must be at most 1048576");
  require(spec.expert.limit >= 0, "swiglu_clamp_exp", "must not be negative");
  require(spec.shared_limit >= 0, "swiglu_clamp_shexp", "must not be negative");
  if (spec.chunk_size != 0) {
    require(spec.count % spec.chunk_size == 0 && spec.used <= spec.count / spec.chunk_size, "experts_per_group",
            "must divide expert_count into at least expert_used_count groups");
    within(spec.chunk_feed_forward, 1u << 20, "expert_chunk_feed_forward_length");
  }
  within(spec.groups, nn::ExpertsSpec::kMostGroups, "expert_group_count");
  require(spec.count % spec.groups == 0, "expert_group_count", "must divide expert_count");
  require(spec.groups_used > 0 && spec.groups_used <= spec.groups, "expert_group_used_count",
          "must be from 1 to expert_group_count");
  require(spec.used <= spec.count / spec.groups * spec.groups_used, "expert_used_count",
          "must be at most the number of experts to choose from");
}

}  // namespace heed::models
