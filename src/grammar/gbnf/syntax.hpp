// A grammar as it is written: rules, each an expression of terminals, calls of rules, sequences, alternatives and repeats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/regular/pool.hpp"

namespace heed::grammar::gbnf {

using Expression = std::uint32_t;  // index into Syntax::nodes
using RuleId = std::uint32_t;

struct Node {
  enum class Kind : std::uint8_t { terminal, call, sequence, alternatives, repeat };
  Kind kind = Kind::terminal;
  Regular regular = Regular::kEmptyText;  // terminal
  RuleId rule = 0;                        // call
  std::vector<Expression> parts = {};     // sequence, alternatives; the one that is repeated
  std::uint32_t min = 0;                  // repeat
  std::optional<std::uint32_t> max = {};  // repeat; none: any number of times
};

struct Syntax {
  std::vector<Node> nodes;              // parts come before what they are parts of
  std::vector<Expression> rules;        // by RuleId
  std::vector<std::string> rule_names;  // by RuleId
  RuleId root = 0;
};

}  // namespace heed::grammar::gbnf
