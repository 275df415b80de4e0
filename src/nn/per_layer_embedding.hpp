// Per-layer embeddings (Gemma 3n, https://ai.google.dev/gemma/docs/gemma-3n): every layer gets a short vector of its own for each
// token, from a table, which is the largest tensor of these models, and from the token's embedding.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "nn/lookup_table.hpp"
#include "nn/norm.hpp"
#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class PerLayerEmbedding {
 public:
  /// Takes per_layer_token_embd, per_layer_model_proj and per_layer_proj_norm.
  PerLayerEmbedding(const PerLayerEmbeddingSpec& spec, std::size_t vocabulary, const StackSpec& stack, Weights& weights);

  /// Whether this tensor's rows keep the file's format.
  static bool keeps_as_stored(std::string_view tensor) noexcept { return tensor == "per_layer_token_embd.weight"; }

  /// Scratch for the inputs, and for preparing them.
  static ScratchNeed need(const PerLayerEmbeddingSpec& spec, const StackSpec& stack, const PassLimits& limits) noexcept;
  static ScratchNeed need_of_preparing(const PerLayerEmbeddingSpec& spec, const StackSpec& stack,
                                       const PassLimits& limits) noexcept;

  /// Takes scratch for the inputs of the pass and fills it. embedded: T x D, the tokens' embeddings.
  void prepare(std::span<const std::int32_t> tokens, Activations embedded, Pass& pass) const noexcept;

 private:
  std::size_t layers_, width_;
  std::optional<LookupTable> table_;  // V x (layers x width)
  Linear projection_;                 // (layers x width) x D
  Norm projection_norm_;              // of each layer's vector
};

}  // namespace heed::nn
