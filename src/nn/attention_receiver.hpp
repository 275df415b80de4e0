// Where the attention block writes its weights when they are requested.
#pragma once

#include <cstddef>

namespace heed::nn {

class AttentionReceiver {
 public:
  virtual ~AttentionReceiver() = default;
  /// Where to write the softmax weights of a query over positions [0, query_position], or nullptr if not requested. Called from
  /// several threads, for different rows.
  virtual float* row(std::size_t layer, std::size_t head, std::size_t query_position) noexcept = 0;
};

}  // namespace heed::nn
