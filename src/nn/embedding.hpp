// Token embeddings, and what is added to them: positions, learned or sinusoidal (arXiv:1706.03762, section 3.5), and token
// types (arXiv:1810.04805). The token table may also be the head.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "nn/norm.hpp"
#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Embedding {
 public:
  /// Takes token_embd; position_embd and token_types where the spec has them. `norm` is that of the stack.
  Embedding(const EmbeddingSpec& spec, const NormSpec& norm, std::string_view prefix, Weights& weights);

  /// x: T x D, of the tokens at the pass's positions.
  void operator()(std::span<const std::int32_t> tokens, Activations x, Pass& pass) const noexcept;

  static ScratchNeed need(const Extent& extent) noexcept {
    return ScratchNeed().take<float>(extent.tokens * extent.width);
  }

  const Linear& table() const noexcept { return table_; }

 private:
  EmbeddingSpec spec_;
  Linear table_;      // V x D
  Linear positions_;  // context x D, where learned
  Buffer<float> types_;        // rows of D, of which the first is used
  std::vector<double> frequencies_;  // D / 2, where sinusoidal
  std::optional<Norm> norm_;
};

}  // namespace heed::nn
