// Self-attention over the rows of a sound, with scores that depend on the distance between rows (arXiv:1803.02155, arXiv:1901.02860).
#pragma once

#include <string>

#include "nn/hearing/hearing_spec.hpp"
#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class RelativeAttention {
 public:
  /// Takes attn_q, attn_k, attn_v and attn_out of the layer `name`, and what Distances says.
  RelativeAttention(const ConformerSpec& spec, const std::string& name, Weights& weights);

  static ScratchNeed need(const ConformerSpec& spec, std::size_t rows, std::size_t threads);

  /// x: T x D, replaced by the output.
  void operator()(Activations x, Pass& pass) const noexcept;

 private:
  /// The distances from 1 - reach to reach - 1, the largest first.
  static std::size_t reach(const ConformerSpec& spec, std::size_t rows) noexcept;
  PositionRange seen_from(std::size_t row, std::size_t rows) const noexcept;
  void fill_sinusoids(std::size_t reach, float* out) const noexcept;
  const float* distance_columns(std::size_t reach, Pass& pass) const noexcept;

  ConformerSpec spec_;
  std::size_t dim_;  // of a head
  Linear q_, k_, v_, out_, distances_;
  Buffer<float> table_;                      // (2 furthest + 1) x head
  Buffer<float> content_, distance_;         // u and v: D, or empty
  Buffer<float> query_scales_, key_scales_;  // of a head, or empty
};

}  // namespace heed::nn
