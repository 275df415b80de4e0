// Mamba (arXiv:2312.00752): a state space model. After a short convolution, each token chooses the time step and what is written
// into and read from the state. Each value of the state decays at its own rate (Mamba), or all of a head at one rate (PLaMo 2).
#pragma once

#include <optional>

#include "nn/block.hpp"
#include "nn/causal_convolution.hpp"
#include "nn/norm.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

/// A token costs about 5 multiplications and additions per float of the state, and one exponential per rate.
class Mamba final : public Block {
 public:
  /// Takes ssm_in, ssm_conv1d, ssm_x, ssm_dt, ssm_a, ssm_d and ssm_out of the layer `name`, and ssm_dt_norm, ssm_b_norm and
  /// ssm_c_norm if the file has them.
  Mamba(const MambaSpec& spec, std::size_t width, const std::string& name, Weights& weights);

  static ScratchNeed need(const MambaSpec& spec, const PassLimits& limits) noexcept;
  /// The state: the channels' states and the last inputs of the convolution.
  static BlockTraits traits(const MambaSpec& spec, std::size_t width) noexcept;

  void operator()(Activations h, Pass& pass) const noexcept override;

 private:
  /// Values computed from each token, T rows each.
  struct Chosen {
    const float *inputs, *steps, *b, *c;  // widths: heads x head_dim, heads, state, state
  };
  void run(std::size_t head, Segment& segment, const Chosen& chosen, float* out, Pass& pass) const noexcept;

  MambaSpec spec_;
  CausalConvolution convolution_;
  Linear u_proj_, gate_proj_, o_proj_;
  Linear dt_proj_, b_proj_, c_proj_;  // rank x inner, state x inner
  Linear step_proj_;                  // heads x rank
  std::optional<Norm> dt_norm_, b_norm_, c_norm_;
  Buffer<float> rates_;  // heads x state, or heads
  Buffer<float> skip_;   // heads
};

}  // namespace heed::nn
