// The syntax tree of a regular expression, which regex.cpp translates to a language.
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
    std::uint32_t offset = 0;  // in the pattern, in code points
    std::uint32_t min = 0, max = 0;
    CodePoints points;
    std::vector<std::uint32_t> parts;
    bool anchored = false;  // contains ^ or $
    bool looks = false;     // contains a lookahead, \b or \B
  };

  std::vector<Part> parts;
  std::uint32_t root = 0;
};

/// Throws Refusal as `parse_regex` does.
RegexTree parse_regex_tree(std::string_view pattern, Budget& budget);

/// The characters that \w matches.
CodePoints word_characters();

}  // namespace heed::grammar
