// Guesses of the next tokens, for speculative decoding (arXiv:2211.17192). The model verifies each guess, so guesses change the
// speed but never the text.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

struct Guess {
  tokenizer::TokenId id;
  double probability;  // that this token is right if all guesses before it are
};

class Guesser {
 public:
  virtual ~Guesser() = default;
  /// Appends a token of the text.
  virtual void accept(tokenizer::TokenId id) = 0;
  /// Guesses of the next tokens, in order: at most `most`, possibly none.
  virtual std::vector<Guess> guess(std::size_t most) const = 0;
};

}  // namespace heed::runtime
