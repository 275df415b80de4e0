// The gated delta rule (arXiv:2412.06464), as Qwen3-Next has it: instead of a cache, each head has a matrix that is asked what
// it knows of a key, and told the difference to the value.
#pragma once

#include "nn/block.hpp"
#include "nn/causal_convolution.hpp"
#include "nn/linear_attention.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

/// A token costs 7 multiplications and additions for each number of its states, which it reads and writes once from memory:
/// 2 x heads x key_dim x value_dim floats.
class GatedDeltaNet final : public Block {
 public:
  /// Takes attn_qkv and attn_gate (or both as ssm_in), ssm_beta and ssm_alpha (or ssm_ba), ssm_conv1d, ssm_dt.bias, ssm_a,
  /// ssm_norm and ssm_out of the layer `name`.
  GatedDeltaNet(const GatedDeltaNetSpec& spec, std::size_t width, const std::string& name, Weights& weights);

  static ScratchNeed need(const GatedDeltaNetSpec& spec, const Extent& extent) noexcept;
  /// Kept are the heads' matrices, and what was convolved last.
  static CacheLayer cache_layer(const GatedDeltaNetSpec& spec) noexcept;

  void operator()(Activations h, Pass& pass) const noexcept override;

 private:
  /// What is made of a token before it meets the states.
  struct Token {
    float* mixed;           // queries, keys and values, convolved
    float *beta, *decay;    // heads; before, what they are computed from
  };
  void prepare(const Token& token, const kernels::Kernels& kernels) const noexcept;

  GatedDeltaNetSpec spec_;
  CausalConvolution convolution_;
  LinearAttention attend_;
  Linear qkv_proj_, gate_proj_, beta_proj_, alpha_proj_, o_proj_;
  Buffer<float> decay_, time_step_;          // heads
  Buffer<float> query_scale_, key_scale_;    // key_dim: norms have no weights, but scales
  Buffer<float> norm_;                       // value_dim
};

}  // namespace heed::nn
