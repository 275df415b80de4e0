// Characters as bytes.
#pragma once

#include <string_view>

#include "grammar/regular/code_points.hpp"
#include "grammar/regular/pool.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// The bytes of one character of a set, in every way that the spelling has: what `RegularPool::characters` stands for.
Regular spell(RegularPool& pool, const CodePoints& points, Spelling spelling);

/// One character, whichever.
Regular any_character(RegularPool& pool, Spelling spelling);

/// The characters of a text, one after the other. Throws Refusal (invalid) if it is not UTF-8.
Regular text(RegularPool& pool, std::string_view utf8, Spelling spelling);

}  // namespace heed::grammar
