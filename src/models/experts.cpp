// Reads the description of mixtures of experts in files: the expert_* keys.
#include "models/experts.hpp"

#include "models/common.hpp"

namespace heed::models {

bool has_experts(const Hyperparameters& h) { return h.count("expert_count", 0) != 0; }

nn::ExpertsSpec experts(const Hyperparameters& h, bool normalized, nn::Gating gating_if_absent) {
  nn::ExpertsSpec spec;
  spec.count = h.count("expert_count");
  spec.used = h.count("expert_used_count");
  const std::string_view own = "expert_feed_forward_length";
  spec.expert = {.feed_forward = h.contains(own) ? h.count(own) : h.count("feed_forward_length", 0),
                 .activation = kernels::Activation::silu,
                 .gated = true};
  spec.normalized = h.flag("expert_weights_norm", normalized);
  spec.shared = h.count("expert_shared_feed_forward_length", 0);
  if (const float scale = h.number("expert_weights_scale", 0.0f); scale != 0) spec.scale = scale;
  spec.groups = h.count("expert_group_count", 1);
  spec.groups_used = h.count("expert_group_used_count", spec.groups);

  const std::size_t gating = h.count("expert_gating_func", gating_if_absent == nn::Gating::sigmoid ? 2 : 1);
  if (gating == 1) spec.gating = nn::Gating::softmax;
  else if (gating == 2) spec.gating = nn::Gating::sigmoid;
  else if (gating == 3) spec.gating = nn::Gating::softmax_of_chosen;
  else
    throw Error(ErrorCode::unsupported,
                "gating function " + std::to_string(gating) +
                    " is not supported; known: softmax (1), sigmoid (2), softmax of the chosen (3)",
                h.full("expert_gating_func"));
  return spec;
}

nn::ExpertsSpec softmax_experts(const Hyperparameters& h) {
  nn::ExpertsSpec spec = experts(h, true);
  spec.gating = nn::Gating::softmax;
  spec.normalized = true;
  spec.scale = 1;
  return spec;
}

nn::ExpertsSpec experts_and_shared(const Hyperparameters& h, bool normalized, nn::Gating gating) {
  nn::ExpertsSpec spec = experts(h, normalized, gating);
  spec.selection_bias = true;
  const std::size_t shared = h.count("expert_shared_count", 0);
  if (shared > spec.count) throw Error(ErrorCode::invalid_file, "must be at most expert_count", h.full("expert_shared_count"));
  if (spec.shared == 0) spec.shared = shared * spec.expert.feed_forward;
  return spec;
}

void make_first_dense(nn::StackSpec& stack, const Hyperparameters& h) {
  const std::size_t dense = h.count("leading_dense_block_count", 0);
  for (std::size_t i = 0; i < dense && i < stack.layers.size(); ++i) last_block(stack.layers[i]) = gated_mlp(h);
}

}  // namespace heed::models
