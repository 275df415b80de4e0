// Where the attention block leaves its weights when somebody wants to see them.
#pragma once

#include <cstddef>

namespace heed::nn {

class AttentionSink {
 public:
  virtual ~AttentionSink() = default;
  /// Where to put the softmax weights of a query over positions [0, query_position], or nullptr if nobody asks. Called
  /// from several threads, for different rows.
  virtual float* row(std::size_t layer, std::size_t head, std::size_t query_position) noexcept = 0;
};

}  // namespace heed::nn
