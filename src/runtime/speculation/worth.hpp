// How many guesses are worth running.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/speculation/guesser.hpp"
#include "runtime/speculation/pass_costs.hpp"

namespace heed::runtime {

/// The number of guesses, from the first on, that maximizes the expected tokens per second. `others`: the other tokens of the pass,
/// including the one before the guesses; each is expected to yield one new token.
std::size_t worthwhile(std::span<const Guess> guesses, std::size_t others, const PassCosts& costs) noexcept;

}  // namespace heed::runtime
