// The decoder: tokens to logits through embedding, layers, norm and head.
#pragma once

#include <optional>
#include <span>

#include "nn/embedding.hpp"
#include "nn/per_layer_embedding.hpp"
#include "nn/stack.hpp"

namespace heed::nn {

class Decoder {
 public:
  /// Requests every tensor of the architecture. `shared`: as in Embedding. Throws invalid_file for a tensor that is missing or has
  /// the wrong shape.
  Decoder(const DecoderSpec& spec, std::size_t context_length, Weights& weights, const Embedding* shared = nullptr);

  static ScratchNeed need(const DecoderSpec& spec, const PassLimits& limits);

  /// Replaces each table that equals one of `other`, which must outlive this, by that one. Returns the number of bytes freed.
  std::uint64_t share(const Decoder& other) noexcept;

  const DecoderSpec& spec() const noexcept { return spec_; }
  const Stack& stack() const noexcept { return stack_; }
  const Embedding& embedding() const noexcept { return embedding_; }
  const Linear& head() const noexcept { return shared_head_ ? *shared_head_ : head_ ? *head_ : embedding_.table(); }

  /// Runs the pass's tokens through the stack. logits: rows x V, for the tokens in these rows of the pass, in ascending order.
  /// Returns false if canceled.
  bool forward(std::span<const std::int32_t> tokens, Pass& pass, float* logits, std::span<const std::size_t> rows) const noexcept;

  /// Converts states of the last layer to logits of the next token. x: rows x D, at most as many rows as a pass has tokens,
  /// replaced by the output of the final norm; logits: rows x V; pass_rows: as in project().
  void read_out(Activations x, float* logits, Pass& pass, const std::size_t* pass_rows = nullptr) const noexcept;

 private:
  void hand_on(Activations x, Pass& pass) const noexcept;

  DecoderSpec spec_;
  Embedding embedding_;
  std::optional<PerLayerEmbedding> per_layer_;
  Stack stack_;
  std::optional<Linear> head_;  // V x D; absent if tied to the embedding
  const Linear* shared_head_ = nullptr;
};

}  // namespace heed::nn
