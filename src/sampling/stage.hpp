// A step of sampling that the caller supplies, such as the mask of a constraint.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::sampling {

/// Changes scores before biases and penalties are applied. Belongs to one generation.
class ScoreStage {
 public:
  virtual ~ScoreStage() = default;
  /// Called before each token is sampled. scores: V, each usable (sampling/score.hpp), before and after.
  virtual void apply(std::span<float> scores) = 0;
  /// Called for each token of the text, including the prompt's.
  virtual void accept(tokenizer::TokenId id) = 0;
};

using ScoreStages = std::vector<std::unique_ptr<ScoreStage>>;

}  // namespace heed::sampling
