// Multi-head latent attention (arXiv:2405.04434, section 2.1). A position is represented by one short latent vector and one rotated
// key. Plain: keys and values of every head are computed from it and cached. Absorbed: the matrices that would compute them are
// applied to the queries and outputs instead, and the heads attend over the latent vectors themselves.
#pragma once

#include <vector>

#include "nn/block.hpp"
#include "nn/norm.hpp"
#include "nn/rope.hpp"
#include "nn/scaled_dot_product.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class LatentAttention final : public Block {
 public:
  /// Takes attn_q (or attn_q_a, attn_q_a_norm, attn_q_b), attn_kv_a_mqa, attn_kv_a_norm, attn_kv_b (plain) or attn_k_b and
  /// attn_v_b (absorbed), and attn_output of the layer `name`. `rope` must outlive it.
  LatentAttention(const LatentAttentionSpec& spec, std::size_t width, const std::string& name, const Rope* rope, Weights& weights);

  static ScratchNeed need(const LatentAttentionSpec& spec, const PassLimits& limits) noexcept;
  static BlockTraits traits(const LatentAttentionSpec& spec, std::size_t width) noexcept;

  void operator()(Activations h, Pass& pass) const noexcept override;

  const Linear* heads_output() const noexcept override { return &o_proj_; }
  const Linear* values_up(std::size_t head) const noexcept override { return v_up_.empty() ? nullptr : &v_up_[head]; }

 private:
  void project_queries(Activations h, float* q, Pass& pass) const noexcept;
  void attend_plain(float* q, float* latents, float* mixed, std::size_t tokens, Pass& pass) const noexcept;
  void attend_absorbed(float* q, float* latents, float* mixed, std::size_t tokens, Pass& pass) const noexcept;
  void per_head(const std::vector<Linear>& linears, const float* x, std::size_t stride, float* out, std::size_t out_stride,
                std::size_t tokens, Pass& pass) const noexcept;

  LatentAttentionSpec spec_;
  const Rope* rope_;
  Linear q_proj_;                 // heads * key_dim x D or, with q_down_, x query_rank
  std::optional<Linear> q_down_;  // query_rank x D
  std::optional<Norm> q_norm_;
  Linear kv_down_;  // latent_dim + rotated x D
  Norm kv_norm_;
  Linear kv_up_;                     // plain: heads * (plain_dim + value_dim) x latent_dim
  std::vector<Linear> k_up_, v_up_;  // absorbed, of each head: latent_dim x plain_dim, value_dim x latent_dim
  Linear o_proj_;                    // D x heads * value_dim
  ScaledDotProduct attend_;
};

}  // namespace heed::nn
