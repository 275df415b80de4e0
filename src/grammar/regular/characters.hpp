// Translates characters to the bytes of their spellings.
#pragma once

#include <string_view>

#include "grammar/regular/code_points.hpp"
#include "grammar/regular/pool.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// All byte sequences that spell one character of a set: the meaning of `RegularPool::characters`.
Regular spell(RegularPool& pool, const CodePoints& points, Spelling spelling);

/// Any one character.
Regular any_character(RegularPool& pool, Spelling spelling);

/// The given text. Throws Refusal (invalid) if it is not UTF-8.
Regular text(RegularPool& pool, std::string_view utf8, Spelling spelling);

}  // namespace heed::grammar
