// The head of a reranker: computes scores of a pair of texts from the encoder's pooled vector, through an extra layer if the file
// has one (arXiv:1901.04085), and a norm after it (ModernBERT).
#pragma once

#include <optional>

#include "nn/mlp.hpp"
#include "nn/norm.hpp"
#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class ScoreHead {
 public:
  /// Takes cls and cls.norm, if present, and cls.output.
  ScoreHead(const EncoderSpec& spec, Weights& weights)
      : activation_(spec.score_activation),
        probabilities_(spec.probabilities),
        score_(weights.linear("cls.output", spec.scores, spec.stack.width)) {
    if (weights.contains("cls.weight")) dense_ = weights.linear("cls", spec.stack.width, spec.stack.width);
    if (dense_ && weights.contains("cls.norm.weight")) norm_.emplace(spec.stack.norm, spec.stack.width, "cls.norm", weights);
  }

  std::size_t size() const noexcept { return score_.matrix.rows; }

  /// x: the pooled vector (D); dense: scratch of the same size; scores: size().
  void operator()(const float* x, float* dense, float* scores, Pass& pass) const noexcept {
    if (dense_) {
      const std::size_t width = dense_->matrix.rows;
      project(x, 1, {{&*dense_, dense}}, pass);
      if (activation_) activate(*activation_, dense, nullptr, width, pass);
      else pass.kernels.softcap(dense, 1.0f, width);  // tanh
      if (norm_) norm_->apply(dense, width, dense, pass);
      x = dense;
    }
    project(x, 1, {{&score_, scores}}, pass);
    if (probabilities_) pass.kernels.softmax(scores, size());
  }

 private:
  std::optional<kernels::Activation> activation_;
  bool probabilities_;
  std::optional<Linear> dense_;  // D x D
  std::optional<Norm> norm_;
  Linear score_;  // scores x D
};

}  // namespace heed::nn
