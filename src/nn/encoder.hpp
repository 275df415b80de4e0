// The encoder: tokens to one vector each, where every token sees all others.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "nn/embedding.hpp"
#include "nn/score_head.hpp"
#include "nn/stack.hpp"

namespace heed::nn {

inline std::optional<Linear> optional_projection(const ProjectionSpec& spec, std::size_t width, Weights& weights) {
  if (spec.name.empty()) return std::nullopt;
  return weights.linear(std::string(spec.name), spec.rows, width);
}

class Encoder {
 public:
  /// As Decoder.
  Encoder(const EncoderSpec& spec, std::size_t positions, Weights& weights)
      : spec_(spec),
        embedding_(spec.embedding, spec.stack.norm, spec.stack.prefix, weights),
        stack_(spec.stack, positions, weights),
        projection_(optional_projection(spec.projection, spec.stack.width, weights)) {
    if (spec.scores != 0) score_head_.emplace(spec.scores, spec.stack.width, weights);
  }

  static ScratchNeed need(const EncoderSpec& spec, const Extent& extent) {
    return Embedding::need(extent).either(Stack::need(spec.stack, extent));
  }

  const EncoderSpec& spec() const noexcept { return spec_; }
  const Embedding& embedding() const noexcept { return embedding_; }
  const Linear* projection() const noexcept { return projection_ ? &*projection_ : nullptr; }

  const ScoreHead* score_head() const noexcept { return score_head_ ? &*score_head_ : nullptr; }

  /// hidden: T x D. False if it was cancelled.
  bool forward(std::span<const std::int32_t> tokens, Pass& pass, float* hidden) const noexcept {
    const Activations x{hidden, tokens.size(), spec_.stack.width};
    embedding_(tokens, x, pass);
    if (!stack_(x, pass)) return false;
    stack_.finish(x, pass);
    return true;
  }

 private:
  EncoderSpec spec_;
  Embedding embedding_;
  Stack stack_;
  std::optional<Linear> projection_;
  std::optional<ScoreHead> score_head_;
};

}  // namespace heed::nn
