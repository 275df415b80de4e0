// Token embeddings, and learned position embeddings (arXiv:1706.03762, section 3.5). The token table may also be the head.
#pragma once

#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Embedding {
 public:
  Embedding(const DecoderSpec& spec, Weights& weights) : table_(weights.linear("token_embd", spec.vocabulary, spec.width)) {
    if (spec.learned_positions) positions_ = weights.linear("position_embd", spec.context, spec.width);
  }

  /// x: T x D. Uses scratch.h.
  void operator()(Activations x, Pass& pass) const noexcept {
    pass.pool.parallel_for(x.tokens, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t t = begin; t < end; ++t) {
        float* row = x.data + t * x.width;
        pass.kernels.unpack_row(table_.matrix, static_cast<std::size_t>(pass.tokens[t]), row);
        if (positions_.matrix.rows == 0) continue;
        float* position = pass.scratch.h.data() + t * x.width;
        pass.kernels.unpack_row(positions_.matrix, pass.position + t, position);
        pass.kernels.add(row, position, x.width);
      }
    });
  }

  const Linear& table() const noexcept { return table_; }

 private:
  Linear table_;      // V x D
  Linear positions_;  // context x D, or empty
};

}  // namespace heed::nn
