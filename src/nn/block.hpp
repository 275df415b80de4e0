// The interface of a sublayer's computation, such as attention over positions or an MLP over channels.
#pragma once

#include "nn/pass.hpp"

namespace heed::nn {

class Block {
 public:
  virtual ~Block() = default;

  /// h: T x D, replaced by the block's output.
  virtual void operator()(Activations h, Pass& pass) const noexcept = 0;

  /// Stores what the block needs of the encoder's output (M x D) in the memory of the pass's one segment; only cross-attention
  /// does.
  virtual void cache_encoder_output(Activations /*encoded*/, Pass& /*pass*/) const noexcept {}
};

}  // namespace heed::nn
