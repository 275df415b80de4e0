// Kimi Delta Attention (arXiv:2510.26692): the delta rule, where each key channel of a head's state decays by its own factor.
#pragma once

#include "nn/block.hpp"
#include "nn/causal_convolution.hpp"
#include "nn/norm.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

/// A token costs 7 multiplications and additions per float of the states: heads x dim^2 floats.
class KimiDelta final : public Block {
 public:
  /// Takes attn_q, attn_k, attn_v, their ssm_conv1d_q and so on, ssm_f_a, ssm_f_b, ssm_dt.bias and ssm_a of decays, ssm_beta,
  /// ssm_g_a and ssm_g_b of the gate, ssm_norm and attn_output of the layer `name`.
  KimiDelta(const KimiDeltaSpec& spec, std::size_t width, const std::string& name, Weights& weights);

  static ScratchNeed need(const KimiDeltaSpec& spec, const PassLimits& limits) noexcept;
  /// The state: the heads' matrices and the last inputs of the convolutions.
  static BlockTraits traits(const KimiDeltaSpec& spec, std::size_t width) noexcept;

  void operator()(Activations h, Pass& pass) const noexcept override;

 private:
  struct Rows {
    float *q, *k, *v, *decays, *betas;  // T x heads x dim; betas: T x heads
  };
  void prepare(const Rows& rows, std::size_t t) const noexcept;
  void run(std::size_t head, Segment& segment, const Rows& rows, float* out, std::size_t layer) const noexcept;

  KimiDeltaSpec spec_;
  Linear projections_[3];
  CausalConvolution convolutions_[3];
  Linear decay_down_, decay_up_, beta_proj_, gate_down_, gate_up_, o_proj_;
  Buffer<float> rates_, bias_;  // heads; heads x dim
  Norm norm_;                   // dim
};

}  // namespace heed::nn
