// The encoder: turns tokens into vectors, one for each. The masks and windows of the stack determine which tokens attend to each
// other.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nn/embedding.hpp"
#include "nn/per_layer_embedding.hpp"
#include "nn/score_head.hpp"
#include "nn/stack.hpp"

namespace heed::nn {

class Encoder {
 public:
  /// Requests every tensor of the architecture, as Decoder's constructor does.
  Encoder(const EncoderSpec& spec, std::size_t context_length, Weights& weights)
      : spec_(spec),
        embedding_(spec.embedding, spec.stack.norm, spec.stack.prefix, weights),
        stack_(spec.stack, context_length, weights) {
    if (spec.per_layer.width != 0) per_layer_.emplace(spec.per_layer, spec.embedding.vocabulary, spec.stack, weights);
    std::size_t width = spec.stack.width;
    for (const ProjectionSpec& projection : spec.projections) {
      projections_.push_back(weights.linear(std::string(projection.name), projection.rows, width));
      width = projection.rows;
    }
    if (spec.predicts && weights.contains("output.weight"))
      head_ = weights.linear("output", spec.embedding.vocabulary, spec.stack.width);
    if (spec.scores != 0) score_head_.emplace(spec, weights);
    if (!spec.unread.empty()) weights.ignore(spec.unread);
  }

  static ScratchNeed need(const EncoderSpec& spec, const PassLimits& limits) {
    ScratchNeed running = Embedding::need(limits).either(Stack::need(spec.stack, limits)).product(1, spec.stack.width);
    ScratchNeed need;
    if (spec.per_layer.width != 0) {
      running.either(PerLayerEmbedding::need_of_preparing(spec.per_layer, spec.stack, limits));
      need = PerLayerEmbedding::need(spec.per_layer, spec.stack, limits);
    }
    need.with(running);
    for (const ProjectionSpec& projection : spec.projections) need.product(1, projection.rows);
    return need;
  }

  const EncoderSpec& spec() const noexcept { return spec_; }
  const Embedding& embedding() const noexcept { return embedding_; }
  const Stack& stack() const noexcept { return stack_; }
  std::span<const Linear> projections() const noexcept { return projections_; }
  /// The matrix that computes logits; nullptr for a model that predicts no tokens.
  const Linear* head() const noexcept { return !spec_.predicts ? nullptr : head_ ? &*head_ : &embedding_.table(); }
  const ScoreHead* score_head() const noexcept { return score_head_ ? &*score_head_ : nullptr; }

  /// hidden: T x D. Returns false if canceled.
  bool forward(std::span<const std::int32_t> tokens, Pass& pass, float* hidden) const noexcept {
    const Activations x{hidden, tokens.size(), spec_.stack.width};
    const Scratch::Scope scope(pass.scratch);
    embedding_(tokens, x, pass);
    if (per_layer_) per_layer_->prepare(tokens, x, pass);
    if (!stack_(x, pass)) return false;
    stack_.finish(x, pass);
    return true;
  }

 private:
  EncoderSpec spec_;
  Embedding embedding_;
  std::optional<PerLayerEmbedding> per_layer_;
  Stack stack_;
  std::vector<Linear> projections_;
  std::optional<Linear> head_;  // V x D; absent if tied to the embedding
  std::optional<ScoreHead> score_head_;
};

}  // namespace heed::nn
