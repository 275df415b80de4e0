// Receives the residual stream after each layer.
#pragma once

namespace heed::nn {

struct Activations;
struct Pass;

class LayerReceiver {
 public:
  virtual ~LayerReceiver() = default;

  /// x: T x D, the output of layer pass.layer, which may be changed.
  virtual void operator()(Activations x, Pass& pass) noexcept = 0;
};

}  // namespace heed::nn
