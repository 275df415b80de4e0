// A grammar in the form in which texts are followed: instructions, of those rules only that call themselves, directly or through
// others. All else becomes terminals, regular languages: what the masks know how to deal with, and what needs no stack.
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
    end,       // of the rule
  };
  static constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

  Kind kind = Kind::end;
  Regular regular = Regular::kNothing;
  RuleId rule = 0;
  std::uint32_t next = 0;  // index of an instruction
  std::uint32_t other = 0;
  std::uint32_t min = 0, max = kUnlimited;
};

struct Program {
  std::vector<Instruction> instructions;
  std::vector<std::uint32_t> entries;  // by rule: where it begins
  std::vector<bool> nullable;          // by rule: whether it can be empty
  RuleId root = 0;
};

/// Only what some text can go through is left. Throws Refusal: unsatisfiable where no text is in the language, too-large.
Program compile(const Syntax& syntax, RegularPool& pool, Budget& budget);

}  // namespace heed::grammar::gbnf
