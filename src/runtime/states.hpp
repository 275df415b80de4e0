// What states of the residual stream say: the final norm's output, and the logit lens.
#pragma once

#include <span>

#include "nn/adapters/adaptation.hpp"

namespace heed::runtime {

class Workspace;

/// The output of the model's final norm for states of any layer: rows x D, in place.
void apply_final_norm(Workspace& workspace, std::span<float> states);

/// The logit lens (https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru): the logits that states of any layer would give if they were those
/// of the last: final norm, head, and what the model does with its logits. states: rows x D; logits: rows x V. adapted: the adapters of
/// these rows, which the head may have. Throws std::bad_alloc.
void read_out(Workspace& workspace, std::span<const float> states, std::span<float> logits,
              std::span<const nn::AdaptedRows> adapted = {});

}  // namespace heed::runtime
