// Guesses from a constraint that leaves no choice: the text is certain, and its split into tokens is likely.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/speculation/guesser.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// The tokens of `forced`, which follows the tokens of `generated`: at most `most`, and without the last one, which may merge with
/// the text after it.
std::vector<Guess> forced_guesses(const tokenizer::Tokenizer& tokenizer, std::span<const tokenizer::TokenId> generated,
                                  std::string_view forced, std::size_t most);

}  // namespace heed::runtime
