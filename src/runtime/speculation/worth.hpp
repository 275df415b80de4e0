// How many guesses are worth their place in a pass.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/speculation/guesser.hpp"
#include "runtime/speculation/pass_costs.hpp"

namespace heed::runtime {

/// Of these guesses, from the first on, so many that most tokens come in a second: `beside` tokens are in the pass already,
/// that one among them which the guesses follow, and give as many new ones in any case.
std::size_t worthwhile(std::span<const Guess> guesses, std::size_t beside, const PassCosts& costs) noexcept;

}  // namespace heed::runtime
