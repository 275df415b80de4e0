// Mamba 2 (arXiv:2405.21060): a state space model. Each token chooses a time step, which determines how much of the state decays
// and how much is added.
#pragma once

#include "nn/block.hpp"
#include "nn/causal_convolution.hpp"
#include "nn/linear_attention.hpp"
#include "nn/step_decay.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

/// A token costs 5 multiplications and additions per float of the states, and reads and writes each float once:
/// 2 x heads x head_dim x state floats.
class Mamba2 final : public Block {
 public:
  /// Takes ssm_in, ssm_conv1d, ssm_dt.bias, ssm_a, ssm_d and ssm_out of the layer `name`, and ssm_norm if present.
  Mamba2(const Mamba2Spec& spec, std::size_t width, const std::string& name, Weights& weights);

  static ScratchNeed need(const Mamba2Spec& spec, const PassLimits& limits) noexcept;
  /// The state: the heads' states and the last inputs of the convolution.
  static BlockTraits traits(const Mamba2Spec& spec, std::size_t width) noexcept;

  void operator()(Activations h, Pass& pass) const noexcept override;

 private:
  void finish(const float* x, float* gate, float* out, const kernels::Kernels& kernels) const noexcept;

  Mamba2Spec spec_;
  CausalConvolution convolution_;
  LinearAttention attend_;
  Linear in_proj_, o_proj_;
  StepDecay step_;
  Buffer<float> skip_;  // heads
  Buffer<float> norm_;  // heads x head_dim, or empty
};

}  // namespace heed::nn
