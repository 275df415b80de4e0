// Reads GBNF, llama.cpp's notation for grammars
// (https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md).
#pragma once

#include <string_view>

#include "grammar/budget.hpp"
#include "grammar/gbnf/syntax.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar::gbnf {

/// Of a UTF-8 text; its terminals are expressions of `pool`. Throws Refusal: invalid, with the place ("line:column", both from 1, the
/// column in code points) as path and the name of the rule as keyword; too-large for parentheses nested too deep.
Syntax parse(std::string_view text, RegularPool& pool, Budget& budget);

}  // namespace heed::grammar::gbnf
