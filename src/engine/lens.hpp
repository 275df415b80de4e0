// What the logit lens says of a state of the residual stream.
#pragma once

#include <cstddef>
#include <vector>

#include "sampling/logprobs.hpp"

namespace heed::engine {

struct LensForm {
  std::size_t top = 5;                           // number of the most probable tokens to report
  std::vector<tokenizer::TokenId> watched = {};  // and tokens whose probabilities to report besides
};

/// The next token as one state has it.
struct LensRow {
  std::vector<sampling::TokenProbability> top;  // most probable first
  std::vector<float> watched;                   // natural logarithms, as LensForm::watched
};

}  // namespace heed::engine
