// Grouped-query attention (arXiv:1706.03762, arXiv:2305.13245): softmax(scale q k + bias) v. One kv head per query head is
// multi-head, one for all is multi-query attention. Causal or not, with a window or not, self- or cross-attention. The kernel is
// kernels/generic/attention.hpp.
#pragma once

#include <optional>

#include "nn/block.hpp"
#include "nn/norm.hpp"
#include "nn/rope.hpp"
#include "nn/routed_values.hpp"
#include "nn/scaled_dot_product.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Attention final : public Block {
 public:
  /// Takes the tensors of the layer `name` that the spec requires: q, k and v separate or fused, or q alone. `rope` must outlive
  /// this object.
  Attention(const AttentionSpec& spec, std::size_t width, const std::string& name, const Rope* rope, Weights& weights);

  static ScratchNeed need(const AttentionSpec& spec, const PassLimits& limits) noexcept;
  static BlockTraits traits(const AttentionSpec& spec, std::size_t width) noexcept;

  /// Self-attention with its own keys and values adds the pass's keys and values to the cache.
  void operator()(Activations h, Pass& pass) const noexcept override;

  const Linear* heads_output() const noexcept override { return spec_.gated || spec_.cross || sub_norm_ ? nullptr : &o_proj_; }
  const Linear* output() const noexcept override { return spec_.cross ? nullptr : &o_proj_; }

  void remember(Activations h, Pass& pass) const noexcept override;
  void recall(Activations h, Pass& pass) const noexcept override;
  void cache_encoder_output(Activations encoded, Pass& pass) const noexcept override;

 private:
  struct QkNorm {
    Buffer<float> weight, bias;  // head_dim, heads x head_dim, or empty
    Buffer<float> factors;       // heads, or empty
  };
  QkNorm qk_norm(const std::string& name, std::size_t heads, RowOrder order, Weights& weights) const;
  void norm_and_rotate(float* x, std::size_t heads, const QkNorm& norm, Point normed, std::size_t t, Pass& pass) const noexcept;
  void normalize(float* x, std::size_t heads, const QkNorm& norm, Pass& pass) const noexcept;
  float* apply_gate(float* gate, float* mixed, std::size_t tokens, Pass& pass) const noexcept;
  void project_own(Activations h, float* q, float* gate, Pass& pass) const noexcept;
  void norm_rotate_and_store(float* q, float* k, float* v, Pass& pass) const noexcept;
  void prepare(std::size_t t, float* k, float* v, Pass& pass) const noexcept;

  AttentionSpec spec_;
  const Rope* rope_;
  Linear q_proj_, k_proj_, v_proj_, o_proj_;  // k and v may be empty (keys_of), or v alone (keys_as_values, value_experts)
  Linear gate_proj_;                          // heads x value_dim, or heads, if gated
  QkNorm q_norm_, k_norm_;
  std::optional<Norm> v_norm_, sub_norm_;
  std::optional<RoutedValues> routed_values_;  // replace v_proj_
  Buffer<float> sinks_;                        // heads, or empty
  ScaledDotProduct attend_;
};

}  // namespace heed::nn
