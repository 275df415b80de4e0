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
  /// Queries of one kv head that read the cache together.
  struct Tile {
    kernels::KvHead kv;
    float scale;
    float* scratch;
    std::size_t count;
    kernels::AttentionQuery queries[kernels::kQueryTile];
    std::size_t heads[kernels::kQueryTile];
    float* outputs[kernels::kQueryTile];

    kernels::AttentionArgs args() noexcept { return {kv, scale, queries, count, scratch}; }
  };

  void rotate_and_store(Pass& pass) const noexcept;
  void attend(Pass& pass) const noexcept;
  void attend_split(Pass& pass, std::size_t tiles, std::size_t chunks) const noexcept;
  std::size_t tiles_of(std::size_t queries) const noexcept;
  Tile make_tile(std::size_t index, std::size_t thread, Pass& pass) const noexcept;
  float* partial_row(std::size_t row, Pass& pass) const noexcept;

  AttentionSpec spec_;
  const Rope* rope_;
  Linear q_proj_, k_proj_, v_proj_, o_proj_;
};

}  // namespace heed::nn
