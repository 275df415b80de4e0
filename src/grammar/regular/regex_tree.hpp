// Regular expressions as they are written: the parser's result, from which regex.cpp makes a language.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grammar/budget.hpp"
#include "grammar/regular/code_points.hpp"

namespace heed::grammar {

struct RegexTree {
  enum class Kind : std::uint8_t {
    sequence,
    alternatives,
    repeat,        // of its one part
    character,     // of a set
    start,         // ^
    end,           // $
    boundary,      // \b
    no_boundary,   // \B
    lookahead,     // (?=
    no_lookahead,  // (?!
  };
  struct Part {
    Kind kind = Kind::sequence;
    std::uint32_t offset = 0;  // in code points
    std::uint32_t min = 0, max = 0;
    CodePoints points;
    std::vector<std::uint32_t> parts;
    bool anchored = false;  // has ^ or $ in it
    bool looks = false;     // has a lookahead or \b or \B in it
  };

  std::vector<Part> parts;
  std::uint32_t root = 0;
};

/// Throws Refusal as `parse_regex` does.
RegexTree parse_regex_tree(std::string_view pattern, Budget& budget);

/// What \w matches.
CodePoints word_characters();

}  // namespace heed::grammar
