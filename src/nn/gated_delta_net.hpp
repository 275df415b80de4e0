// The gated delta rule (arXiv:2412.06464), as in Qwen3-Next: instead of a cache, each head has a state matrix. A token reads the
// value stored for its key and adds the difference to its own value.
#pragma once

#include "nn/block.hpp"
#include "nn/causal_convolution.hpp"
#include "nn/linear_attention.hpp"
#include "nn/step_decay.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

/// A token costs 7 multiplications and additions per float of the states, and reads and writes each float once:
/// 2 x heads x key_dim x value_dim floats.
class GatedDeltaNet final : public Block {
 public:
  /// Takes attn_qkv and attn_gate (or both as ssm_in), ssm_beta and ssm_alpha (or ssm_ba), ssm_conv1d, ssm_dt.bias, ssm_a,
  /// ssm_norm and ssm_out of the layer `name`.
  GatedDeltaNet(const GatedDeltaNetSpec& spec, std::size_t width, const std::string& name, Weights& weights);

  static ScratchNeed need(const GatedDeltaNetSpec& spec, const PassLimits& limits) noexcept;
  /// The state: the heads' matrices and the last inputs of the convolution.
  static BlockTraits traits(const GatedDeltaNetSpec& spec, std::size_t width) noexcept;

  void operator()(Activations h, Pass& pass) const noexcept override;
  const Linear* output() const noexcept override { return &o_proj_; }

 private:
  /// Values computed from a token before the state update.
  struct Token {
    float* mixed;         // queries, keys and values, convolved
    float *beta, *decay;  // one per head; initially the values that they are computed from
  };
  void prepare(const Token& token, std::size_t t, Pass& pass) const noexcept;

  GatedDeltaNetSpec spec_;
  CausalConvolution convolution_;
  LinearAttention attend_;
  Linear qkv_proj_, gate_proj_, beta_proj_, alpha_proj_, o_proj_;
  StepDecay step_;
  Buffer<float> query_scale_, key_scale_;  // key_dim each: constants that replace the weights of the norms
  Buffer<float> norm_;                     // value_dim
};

}  // namespace heed::nn
