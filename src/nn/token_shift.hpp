// RWKV's token shift (arXiv:2404.05892): matrices read a mixture of each token's row and the row before it. Its state per
// sequence is the last row.
#pragma once

#include <algorithm>

#include "nn/pass.hpp"

namespace heed::nn {

/// change: T x D, each token's previous row minus its own; the row before a sequence's first one is zero. The last row of each
/// segment becomes the state, at `offset` in the layer's state.
inline void shift_tokens(Activations y, std::size_t offset, float* change, Pass& pass) noexcept {
  for (Segment& segment : pass.segments) {
    float* const state = segment.cache.state(pass.layer) + offset;
    for (std::size_t t = 0; t < segment.count; ++t) {
      const float* const row = y.data + (segment.row + t) * y.width;
      const float* const before = t == 0 ? state : row - y.width;
      float* const out = change + (segment.row + t) * y.width;
      for (std::size_t i = 0; i < y.width; ++i) out[i] = before[i] - row[i];
      if (float* const kept = segment.cache.kept(t, state)) std::copy_n(row, y.width, kept);
    }
    std::copy_n(y.data + (segment.row + segment.count - 1) * y.width, y.width, state);
  }
}

/// out = y + change * share, of all tokens.
inline void mix_shifted(Activations y, const float* change, const float* share, float* out) noexcept {
  for (std::size_t i = 0; i < y.tokens * y.width; ++i) out[i] = y.data[i] + change[i] * share[i % y.width];
}

}  // namespace heed::nn
