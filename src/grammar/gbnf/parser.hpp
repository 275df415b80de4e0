// Parses GBNF, llama.cpp's notation for grammars
// (https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md).
#pragma once

#include <string_view>

#include "grammar/budget.hpp"
#include "grammar/gbnf/syntax.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar::gbnf {

/// Parses UTF-8; terminals become expressions of `pool`. Throws Refusal: invalid, with "line:column" (both from 1, the column in
/// code points) as path and the rule's name as keyword; too-large for too deeply nested parentheses.
Syntax parse(std::string_view text, RegularPool& pool, Budget& budget);

}  // namespace heed::grammar::gbnf
