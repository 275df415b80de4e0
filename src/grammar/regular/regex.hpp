// Regular expressions of ECMA-262, read as with the flag u. A pattern that is valid only without the flag is read without it.
#pragma once

#include <cstdint>
#include <string_view>

#include "grammar/regular/pool.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

enum class Anchoring : std::uint8_t {
  search,  // texts that contain a match
  whole,   // texts that match as a whole
};

/// The language of a UTF-8 pattern, its texts in the given spelling. kNothing for a pattern that matches no text, such as
/// a^b. Unsupported are back-references, lookbehinds, flags, and lookaheads and word boundaries inside repeats. Throws Refusal:
/// keyword is the construct ("(?<="), path its offset in code points.
///
///     parse_regex(pool, "^[a-z]{1,1000}$", Spelling::raw, Anchoring::search)
Regular parse_regex(RegularPool& pool, std::string_view pattern, Spelling spelling, Anchoring anchoring);

}  // namespace heed::grammar
