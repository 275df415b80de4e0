// What a constraint leaves no choice about, as guesses: the text is certain, and how the model splits it into tokens is likely.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/speculation/guesser.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// The tokens of `forced`, which follows the tokens of `generated`: at most `most`, and without the last one, which may become a
/// longer token with what comes after it.
std::vector<Guess> forced_guesses(const tokenizer::Tokenizer& tokenizer, std::span<const tokenizer::TokenId> generated,
                                  std::string_view forced, std::size_t most);

}  // namespace heed::runtime
