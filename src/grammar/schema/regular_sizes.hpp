// How many texts a regular language has.
#pragma once

#include <cstdint>

#include "grammar/budget.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

/// The number of texts in `regular`, or `limit` if there are at least that many.
std::uint64_t count_texts(RegularPool& pool, Regular regular, std::uint64_t limit, Budget& budget);

}  // namespace heed::grammar
