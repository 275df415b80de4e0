// Self-attention over the rows of a sound, with scores that depend on the distance between rows (arXiv:1803.02155,
// arXiv:1901.02860).
#pragma once

#include <string>

#include "nn/hearing/hearing_spec.hpp"
#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class RelativeAttention {
 public:
  /// Takes attn_q, attn_k, attn_v and attn_out of the layer `name`, and the tensors that Distances names.
  RelativeAttention(const ConformerSpec& spec, const std::string& name, Weights& weights);

  static ScratchNeed need(const ConformerSpec& spec, std::size_t rows, std::size_t threads);

  /// x: T x D, replaced by the output.
  void operator()(Activations x, Pass& pass) const noexcept;

 private:
  /// One more than the largest distance over which rows attend. Embedded distances are reach - 1 down to 1 - reach, in this order.
  static std::size_t reach(const ConformerSpec& spec, std::size_t rows) noexcept;
  PositionRange seen_from(std::size_t row, std::size_t rows) const noexcept;
  void fill_sinusoids(std::size_t reach, float* out) const noexcept;
  const float* distance_columns(std::size_t reach, Pass& pass) const noexcept;

  ConformerSpec spec_;
  std::size_t dim_;  // of a head
  Linear q_, k_, v_, out_, distances_;
  Buffer<float> table_;                      // (2 furthest + 1) x dim_
  Buffer<float> content_, distance_;         // u and v: D, or empty
  Buffer<float> query_scales_, key_scales_;  // dim_, or empty
};

}  // namespace heed::nn
