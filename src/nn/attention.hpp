// Attention with grouped queries (arXiv:1706.03762, arXiv:2305.13245): one kv head a query head is multi-head, one for all
// is multi-query. Causal or not, within a window or not, over the sequence itself or over an encoder's output.
#pragma once

#include "nn/block.hpp"
#include "nn/norm.hpp"
#include "nn/rope.hpp"
#include "nn/scaled_dot_product.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Attention final : public Block {
 public:
  /// Takes the tensors of the layer `name` that the spec speaks of; q, k and v apart or as one. `rope` must outlive it.
  Attention(const AttentionSpec& spec, std::size_t width, const std::string& name, const Rope* rope, Weights& weights);

  static ScratchNeed need(const AttentionSpec& spec, const Extent& extent) noexcept;
  static CacheLayer cache_layer(const AttentionSpec& spec) noexcept {
    return {.kv_heads = spec.kv_heads, .key_dim = spec.key_dim, .value_dim = spec.value_dim, .window = spec.window};
  }

  /// Self-attention adds the pass's keys and values to the cache.
  void operator()(Activations h, Pass& pass) const noexcept override;

  void remember(Activations encoded, Pass& pass) const noexcept override;

 private:
  void normalise(float* x, std::size_t heads, const Buffer<float>& weight, Pass& pass) const noexcept;
  void rotate_and_store(float* q, float* k, const float* v, Pass& pass) const noexcept;

  AttentionSpec spec_;
  const Rope* rope_;
  Linear q_proj_, k_proj_, v_proj_, o_proj_;
  Linear gate_proj_;               // heads x value_dim, where gated
  Buffer<float> q_norm_, k_norm_;  // head_dim, heads x head_dim, or empty
  Buffer<float> sinks_;            // heads, or empty
  ScaledDotProduct attend_;
};

}  // namespace heed::nn
