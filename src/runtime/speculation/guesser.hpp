// Where guesses of the next tokens come from. A guess never changes a text, only how soon it is there: the model judges each
// (arXiv:2211.17192, with guesses that are certain or wrong).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

struct Guess {
  tokenizer::TokenId id;
  double probability;  // that it is right if those before it are
};

class Guesser {
 public:
  virtual ~Guesser() = default;
  /// A token that is now part of the text.
  virtual void accept(tokenizer::TokenId id) = 0;
  /// The tokens that may come next, at most `most`; perhaps none.
  virtual std::vector<Guess> guess(std::size_t most) const = 0;
};

}  // namespace heed::runtime
