// The properties of characters that \p{...} names, in Unicode 17.0. ECMA-262 requires a current version, so that an expression
// matches what the page's own RegExp matches; the tokenizers' table must stay at 15.1 (tokenizer/unicode.hpp). A shared table would
// not save bytes either: the two are in different WebAssembly modules.
#pragma once

#include <optional>
#include <string_view>

#include "grammar/regular/code_points.hpp"

namespace heed::grammar {

/// The characters with a property: "Lu", "Uppercase_Letter", "General_Category=Letter", "gc=L", "Any", "Assigned", "ASCII" or
/// "ASCII_Hex_Digit". nullopt for others.
std::optional<CodePoints> property(std::string_view name);

}  // namespace heed::grammar
