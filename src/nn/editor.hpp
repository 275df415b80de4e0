// What changes a pass from within: the residual stream between layers, what heads give, and which keys queries see.
#pragma once

#include <cstddef>

#include "kernels/kernels.hpp"

namespace heed::nn {

class Editor {
 public:
  virtual ~Editor() = default;
  /// Changes the states (count x width) of tokens from `position` on; `depth` as in StateReceiver.
  virtual void edit_states(std::size_t depth, std::size_t position, std::size_t count, std::size_t width, float* states,
                           const kernels::Kernels& kernels) const noexcept = 0;
  /// Changes what the heads of a layer's softmax attention give, before the output matrix: count x heads x dim.
  virtual void edit_heads(std::size_t layer, std::size_t position, std::size_t count, std::size_t heads, std::size_t dim,
                          float* outputs, const kernels::Kernels& kernels) const noexcept = 0;
  /// What to add to the scores of a query's keys, readable up to the position rounded up to a run of kernels::kWide: 0, or -infinity
  /// for a key that it does not see; nullptr if it sees all that it would. Called from several threads.
  virtual const float* hidden_keys(std::size_t layer, std::size_t head, std::size_t query_position) const noexcept = 0;
};

}  // namespace heed::nn
