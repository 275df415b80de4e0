// Which positions a query attends to: causal or not, in a window, in chunks, in its group, or with the whole tile of a picture.
#pragma once

#include "nn/block_spec.hpp"
#include "nn/pass.hpp"

namespace heed::nn {

struct AttentionMask {  // fields as in AttentionSpec
  Mask kind = Mask::causal;
  std::size_t window = 0;
  bool chunked = false;
  bool whole_tiles = false;

  /// The positions that token `t` of a segment attends to, of the first `positions` of the cache.
  PositionRange seen_from(const Segment& segment, std::size_t t, std::size_t positions) const noexcept;
};

}  // namespace heed::nn
