// What makes a reranker of an encoder: scores of a pair of texts from the vector of its first token, through a layer with
// tanh where the file has one (arXiv:1901.04085).
#pragma once

#include <optional>

#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class ScoreHead {
 public:
  /// Takes cls, where there is one, and cls.output.
  ScoreHead(std::size_t scores, std::size_t width, Weights& weights) : score_(weights.linear("cls.output", scores, width)) {
    if (weights.contains("cls.weight")) dense_ = weights.linear("cls", width, width);
  }

  std::size_t size() const noexcept { return score_.matrix.rows; }

  /// x: the first token's vector (D); dense: room for as much; scores: size().
  void operator()(const float* x, float* dense, float* scores, Pass& pass) const noexcept {
    if (dense_) {
      project(x, 1, {{&*dense_, dense}}, pass);
      pass.kernels.softcap(dense, 1.0f, dense_->matrix.rows);  // tanh
      x = dense;
    }
    project(x, 1, {{&score_, scores}}, pass);
  }

 private:
  std::optional<Linear> dense_;  // D x D
  Linear score_;                 // scores x D
};

}  // namespace heed::nn
