// Helpers for families with mixtures of experts: their parts of a spec, from the expert_* keys.
#pragma once

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

/// Whether the file has experts.
bool has_experts(const Hyperparameters& h);
/// Reads the expert_* keys; `normalized` and `gating` are the defaults if the keys are absent.
nn::ExpertsSpec experts(const Hyperparameters& h, bool normalized, nn::Gating gating = nn::Gating::softmax);
/// As experts(), for files that do not say how experts are weighted: by a softmax over all of them, normalized.
nn::ExpertsSpec softmax_experts(const Hyperparameters& h);
/// As experts(), for mixtures like DeepSeek's (arXiv:2412.19437): with a bias for choosing, and with shared experts, whose total
/// width is expert_shared_count times the width of one expert unless the file gives it.
nn::ExpertsSpec experts_and_shared(const Hyperparameters& h, bool normalized, nn::Gating gating = nn::Gating::softmax);
/// Puts an MLP in the place of the experts of the first leading_dense_block_count layers.
void make_first_dense(nn::StackSpec& stack, const Hyperparameters& h);

}  // namespace heed::models
