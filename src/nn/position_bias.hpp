// Biases of attention scores that depend on the distance of the positions: ALiBi's slopes (arXiv:2108.12409) and T5's learned
// buckets (arXiv:1910.10683, section 2.1).
#pragma once

#include <vector>

#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class PositionBias {
 public:
  /// The learned table is PREFIXblk.0.attn_rel_b.weight (buckets x heads): all layers share the first one's.
  PositionBias(const PositionBiasSpec& spec, std::size_t heads, Mask mask, std::string_view prefix, Weights& weights);

  static ScratchNeed need(std::size_t heads, const PassLimits& limits) noexcept;

  /// Takes scratch for the table of a segment and fills it.
  void fill_table(Segment& segment, Pass& pass) const noexcept;

 private:
  float of(std::size_t head, std::ptrdiff_t distance) const noexcept;

  PositionBiasSpec spec_;
  std::size_t heads_;
  Mask mask_;
  std::vector<float> slopes_;  // heads, if linear
  Buffer<float> learned_;      // buckets x heads, if relative
};

/// T5's bucket of a distance (key minus query): half of the buckets are exact, the others logarithmic up to `furthest`. With
/// attention in both directions, each direction has half of the buckets.
std::size_t relative_bucket(std::ptrdiff_t distance, const PositionBiasSpec& spec, Mask mask) noexcept;

}  // namespace heed::nn
