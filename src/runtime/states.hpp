// Interprets states of the residual stream: the final norm's output, and the logit lens.
#pragma once

#include <span>
#include <vector>

#include "nn/adapters/adaptation.hpp"

namespace heed::runtime {

class Model;
class Workspace;

/// The output of the model's final norm for states of any layer: rows x D, in place.
void apply_final_norm(Workspace& workspace, std::span<float> states);

/// The logit lens (https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru): applies final norm, head, and logit scaling to states of any
/// layer, as if they were the last layer's. states: rows x D; logits: rows x V. adapted: the adapters of these rows, since the head
/// may have some. Throws std::bad_alloc.
void read_out(Workspace& workspace, std::span<const float> states, std::span<float> logits,
              std::span<const nn::AdaptedRows> adapted = {});

/// The head's rows times a vector, in double precision: V numbers. Throws invalid_argument for a vector of another length.
std::vector<double> head_products(const Model& model, std::span<const float> vector);

}  // namespace heed::runtime
