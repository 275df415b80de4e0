// The decay of a head's state: each token chooses a time step, during which the state decays at the head's own rate
// (arXiv:2405.21060). Shared by Mamba 2 and the gated delta rule.
#pragma once

#include "base/deterministic_math.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class StepDecay {
 public:
  /// Takes ssm_a (rates, negative if the state decays) and ssm_dt.bias of the layer `name`.
  StepDecay(std::size_t heads, const std::string& name, Weights& weights)
      : rate_(weights.table(name + ".ssm_a", heads, 1)), bias_(weights.vector(name + ".ssm_dt.bias", heads)) {}

  /// The time step of a token, from its projection.
  double step(std::size_t head, float asked) const noexcept {
    return deterministic_softplus(static_cast<double>(asked) + static_cast<double>(bias_[head]));
  }
  /// The factor that a time step applies to the state.
  float decay(std::size_t head, double step) const noexcept {
    return static_cast<float>(deterministic_exp(step * static_cast<double>(rate_[head])));
  }

 private:
  Buffer<float> rate_, bias_;  // heads
};

}  // namespace heed::nn
