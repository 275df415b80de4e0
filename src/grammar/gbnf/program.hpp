// A compiled grammar: instructions for the recursive rules. All other rules become terminals (regular languages), which need no
// stack and for which masks are fast.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "grammar/budget.hpp"
#include "grammar/gbnf/syntax.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar::gbnf {

struct Instruction {
  enum class Kind : std::uint8_t {
    terminal,  // a text of `regular`, then `next`
    call,      // a text of `rule`, then `next`
    fork,      // `next` or `other`
    loop,      // `rule` from `min` to `max` times, then `next`
    end,       // return from the rule
  };
  static constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

  Kind kind = Kind::end;
  Regular regular = Regular::kNothing;
  RuleId rule = 0;
  std::uint32_t next = 0;  // index of an instruction; so is `other`
  std::uint32_t other = 0;
  std::uint32_t min = 0, max = kUnlimited;
};

struct Program {
  std::vector<Instruction> instructions;
  std::vector<std::uint32_t> entries;  // by rule: its first instruction
  std::vector<bool> nullable;          // by rule: whether it matches the empty text
  RuleId root = 0;
};

/// Omits instructions that no text of the language reaches. Throws Refusal: unsatisfiable for an empty language; too-large.
Program compile(const Syntax& syntax, RegularPool& pool, Budget& budget);

}  // namespace heed::grammar::gbnf
