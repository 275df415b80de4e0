// The syntax tree of a grammar: rules, each an expression of terminals, calls of rules, sequences, alternatives and repeats.
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
  Regular regular = Regular::kEmptyText;  // of a terminal
  RuleId rule = 0;                        // of a call
  std::vector<Expression> parts = {};     // of a sequence, alternatives or a repeat, which has one part
  std::uint32_t min = 0;                  // of a repeat
  std::optional<std::uint32_t> max = {};  // of a repeat; nullopt: unlimited
};

struct Syntax {
  std::vector<Node> nodes;              // each node comes after its parts
  std::vector<Expression> rules;        // by RuleId
  std::vector<std::string> rule_names;  // by RuleId
  RuleId root = 0;
};

}  // namespace heed::grammar::gbnf
