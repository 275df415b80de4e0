// Token embeddings plus position embeddings, learned or sinusoidal (arXiv:1706.03762, section 3.5), and token types
// (arXiv:1810.04805). The token table may also be the head.
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
  /// Takes token_embd, and position_embd and token_types if the spec has them. `norm` is the stack's. In a file with one table for
  /// encoder and decoder, the name has no prefix; the decoder then uses `shared`, which must outlive it.
  Embedding(const EmbeddingSpec& spec, const NormSpec& norm, std::string_view prefix, Weights& weights,
            const Embedding* shared = nullptr);

  /// x: T x D, for the tokens at the pass's positions; an image's row, which is already scaled, replaces the token's embedding.
  void operator()(std::span<const std::int32_t> tokens, Activations x, Pass& pass) const noexcept;

  static ScratchNeed need(const PassLimits& limits) noexcept { return ScratchNeed().allocate<float>(limits.tokens * limits.width); }

  /// Uses the table of `other`, which must outlive this one, if both tables are equal. Returns the number of bytes freed.
  std::uint64_t share(const Embedding& other) noexcept;

  const Linear& table() const noexcept { return shared_ ? shared_->table() : table_; }

 private:
  EmbeddingSpec spec_;
  const Embedding* shared_ = nullptr;  // the object whose table is used
  Linear table_;                       // V x D, or empty
  Linear positions_;                   // context x D, if learned
  Buffer<float> types_;                // rows of D; only the first is used
  std::vector<double> frequencies_;    // D / 2, if sinusoidal
  std::optional<Norm> norm_;
};

}  // namespace heed::nn
