// Regular expressions of ECMA-262, with the flag u; what parses only without it means what it means there.
#pragma once

#include <cstdint>
#include <string_view>

#include "grammar/regular/pool.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

enum class Anchoring : std::uint8_t {
  search,  // the texts that have a match somewhere
  whole,   // the texts that match from end to end
};

/// The texts that a pattern in UTF-8 matches, in a spelling. Throws Refusal: keyword is the construct ("(?<="), path its offset in code
/// points. Back-references, lookbehinds and flags are unsupported, lookaheads and word boundaries inside repeats too. kNothing for a
/// pattern that matches nothing, such as a^b.
///
///     parse_regex(pool, "^[a-z]{1,1000}$", Spelling::raw, Anchoring::search)
Regular parse_regex(RegularPool& pool, std::string_view pattern, Spelling spelling, Anchoring anchoring);

}  // namespace heed::grammar
