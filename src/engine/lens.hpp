// The logit lens: the next-token probabilities of a state of the residual stream.
#pragma once

#include <cstddef>
#include <vector>

#include "sampling/logprobs.hpp"

namespace heed::engine {

struct LensForm {
  std::size_t top = 5;                           // number of the most probable tokens to report
  std::vector<tokenizer::TokenId> watched = {};  // further tokens whose probabilities to report
};

/// The probabilities of one state.
struct LensRow {
  std::vector<sampling::TokenProbability> top;  // most probable first
  std::vector<float> watched;                   // natural logarithms, one for each of LensForm::watched
};

}  // namespace heed::engine
