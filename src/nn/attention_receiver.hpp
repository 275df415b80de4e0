// Where the attention block writes its weights when they are requested, and shows what it computes them from.
#pragma once

#include <cstddef>

#include "kernels/kernels.hpp"

namespace heed::nn {

/// What the weights of one query are computed from: softmax(softcap(scale q k) + bias), over what it sees and the sink. Valid during the
/// call.
struct AttentionSight {
  kernels::KvHead kv;
  float scale = 1, softcap = 0;
  const kernels::AttentionQuery& query;
};

class AttentionReceiver {
 public:
  virtual ~AttentionReceiver() = default;
  /// Where to write the softmax weights of a query over positions [0, query_position], or nullptr if not requested. Called from
  /// several threads, for different rows.
  virtual float* row(std::size_t layer, std::size_t head, std::size_t query_position) noexcept = 0;
  /// Shows what they are computed from: once for each query and head, from several threads for different ones.
  virtual void observe(std::size_t /*layer*/, std::size_t /*head*/, std::size_t /*query_position*/, const AttentionSight& /*sight*/,
                       const kernels::Kernels& /*kernels*/) noexcept {}
};

}  // namespace heed::nn
