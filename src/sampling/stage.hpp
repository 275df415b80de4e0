// A step of sampling that comes from outside: a constraint's mask, for example.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::sampling {

/// Changes scores before biases and penalties do. Lives as long as one generation.
class ScoreStage {
 public:
  virtual ~ScoreStage() = default;
  /// scores: V, each usable (sampling/score.hpp); leaves them so. Called for each token that is to be chosen.
  virtual void apply(std::span<float> scores) = 0;
  /// A token that is now part of the sequence; prompt tokens too.
  virtual void accept(tokenizer::TokenId id) = 0;
};

using ScoreStages = std::vector<std::unique_ptr<ScoreStage>>;

}  // namespace heed::sampling
