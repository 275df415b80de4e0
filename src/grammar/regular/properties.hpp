// Properties of characters, as \p{..} names them.
#pragma once

#include <optional>
#include <string_view>

#include "grammar/regular/code_points.hpp"

namespace heed::grammar {

/// The characters of "Lu", "Uppercase_Letter", "General_Category=Letter", "gc=L", "Any", "Assigned", "ASCII" or "ASCII_Hex_Digit";
/// nothing for other properties.
std::optional<CodePoints> property(std::string_view name);

}  // namespace heed::grammar
