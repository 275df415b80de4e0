// The properties of characters that \p{...} names.
#pragma once

#include <optional>
#include <string_view>

#include "grammar/regular/code_points.hpp"

namespace heed::grammar {

/// The characters with a property: "Lu", "Uppercase_Letter", "General_Category=Letter", "gc=L", "Any", "Assigned", "ASCII" or
/// "ASCII_Hex_Digit". nullopt for others.
std::optional<CodePoints> property(std::string_view name);

}  // namespace heed::grammar
