// Causal self-attention with grouped queries (arXiv:1706.03762, arXiv:2305.13245). One kv head a query head is
// multi-head, one for all is multi-query.
#pragma once

#include "nn/pass.hpp"
#include "nn/rope.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Attention {
 public:
  /// Takes attn_q, attn_k, attn_v (or the fused attn_qkv) and attn_output of the block `name`. `rope` is shared by the
  /// layers and may be nullptr.
  Attention(const AttentionSpec& spec, std::size_t width, const std::string& name, const Rope* rope, Weights& weights);

  /// h: T x D, replaced by the block's output. Adds the pass's keys and values to the cache.
  void operator()(Activations h, Pass& pass) const noexcept;

 private:
  void rotate_and_store(Pass& pass) const noexcept;
  void attend(Pass& pass) const noexcept;

  AttentionSpec spec_;
  const Rope* rope_;
  Linear q_proj_, k_proj_, v_proj_, o_proj_;
};

}  // namespace heed::nn
