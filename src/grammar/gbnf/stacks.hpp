// What rules return to. A stack of calls is a node: the set of places at which a text may go on once the innermost rule has ended,
// each with its own node below. So stacks that agree share all they can (the graph-structured stack of Tomita, "Efficient Parsing for
// Natural Language", 1986), and equal ones are one node. A call in the last place of a rule leaves no trace: it returns to where the
// rule returns to, so that lists written with right recursion do not grow; and left recursion is a node that is below itself.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grammar/budget.hpp"
#include "grammar/gbnf/syntax.hpp"
#include "grammar/interner.hpp"

namespace heed::grammar::gbnf {

/// While an instruction's successors are sought, ids from kPending on are of rules that are being called.
enum class Stack : std::uint32_t { kBottom = 0, kPending = 0x8000'0000 };

struct Return {
  std::uint32_t instruction;
  std::uint32_t count;  // of a loop
  Stack below;

  auto operator<=>(const Return&) const = default;
};

/// Where the text as a whole ends: what is in kBottom.
inline constexpr std::uint32_t kWhole = UINT32_MAX;

class Stacks {
 public:
  explicit Stacks(Budget& budget);

  static bool is_pending(Stack stack) noexcept { return stack >= Stack::kPending; }

  std::span<const Return> operator[](Stack stack) const noexcept {
    const auto i = static_cast<std::size_t>(stack);
    return std::span(returns_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

  /// Forgets what is pending, and what became of it.
  void begin() noexcept;
  /// A call that returns to `to`. Its rule's stack is pending; `first` if the rule was not called before, since `begin`.
  struct Called {
    Stack stack;
    bool first;
  };
  Called call(RuleId rule, const Return& to);
  /// A call after which its own rule ends.
  Called call_last(RuleId rule, Stack stack);

  /// Makes all that is pending final; `settled` then says what became of it.
  void settle();
  Stack settled(Stack stack) const noexcept;

 private:
  struct Pending {
    RuleId rule;
    std::vector<Return> returns = {};
    std::vector<Stack> same = {};     // stacks whose returns are also in it
    std::optional<Stack> alias = {};  // the one that it is the same as
    Stack result = Stack::kBottom;
  };

  Called call(RuleId rule);
  Stack resolved(Stack stack) const noexcept;
  void gather();
  void make(std::span<const std::uint32_t> members, bool cyclic);
  Stack add(std::span<const Return> returns);
  std::uint32_t place(Stack stack) const noexcept {
    return places_[static_cast<std::uint32_t>(stack) - static_cast<std::uint32_t>(Stack::kPending)];
  }

  Budget& budget_;
  std::vector<Return> returns_;
  std::vector<std::size_t> begins_ = {0};  // [stacks + 1]
  Interner contents_;                      // of stacks, and of those that are below one another
  std::vector<Stack> by_contents_;         // by id of contents_

  std::vector<Pending> pending_;
  std::vector<std::uint32_t> places_;  // by rule: in pending_
  std::vector<std::uint32_t> words_;   // scratch
};

}  // namespace heed::grammar::gbnf
