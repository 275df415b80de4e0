// What a sublayer mixes with: attention over positions, or an MLP over channels.
#pragma once

#include "nn/pass.hpp"

namespace heed::nn {

class Block {
 public:
  virtual ~Block() = default;

  /// h: T x D, replaced by the block's output.
  virtual void operator()(Activations h, Pass& pass) const noexcept = 0;

  /// Puts what the block wants of the encoder's output (M x D) into the memory of the pass's one segment; nothing but for
  /// cross-attention.
  virtual void remember(Activations /*encoded*/, Pass& /*pass*/) const noexcept {}
};

}  // namespace heed::nn
