// The call stacks of rules, as a graph-structured stack (Tomita, "Efficient Parsing for Natural Language", 1986). A stack is a
// node: the set of possible returns from the innermost rule, each with the node below it. Equal stacks are one node. Tail calls add
// nothing, so that right-recursive lists do not grow a stack; left recursion makes a node that is below itself.
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

/// The id of a stack. Ids from kPending on are pending: stacks of rules called since `begin`, which `settle` makes final.
enum class Stack : std::uint32_t { kBottom = 0, kPending = 0x8000'0000 };

/// The continuation of a call.
struct Return {
  std::uint32_t instruction;
  std::uint32_t count;  // iterations, if the call is in a loop
  Stack below;

  auto operator<=>(const Return&) const = default;
};

/// The instruction that kBottom returns to: the end of the text.
inline constexpr std::uint32_t kWhole = UINT32_MAX;

class Stacks {
 public:
  explicit Stacks(Budget& budget);

  static bool is_pending(Stack stack) noexcept { return stack >= Stack::kPending; }

  std::span<const Return> operator[](Stack stack) const noexcept {
    const auto i = static_cast<std::size_t>(stack);
    return std::span(returns_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

  /// Discards all pending stacks and their results.
  void begin() noexcept;
  /// Adds a call that returns to `to`. `first`: whether it is the rule's first call since `begin`.
  struct Called {
    Stack stack;
    bool first;
  };
  Called call(RuleId rule, const Return& to);
  /// Adds a tail call of a rule whose caller has the stack `stack`.
  Called call_last(RuleId rule, Stack stack);

  /// Makes all pending stacks final; then `settled` returns the final stack of each.
  void settle();
  Stack settled(Stack stack) const noexcept;

 private:
  struct Pending {
    RuleId rule;
    std::vector<Return> returns = {};
    std::vector<Stack> same = {};     // stacks whose returns this one includes, due to tail calls
    std::optional<Stack> alias = {};  // the stack that this one equals, if any
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
  Interner contents_;                      // the returns of a stack, or of all stacks of a cycle
  std::vector<Stack> by_contents_;         // by id in contents_: the stack, or the first one of a cycle

  std::vector<Pending> pending_;
  std::vector<std::uint32_t> places_;  // by rule: index in pending_
  std::vector<std::uint32_t> words_;   // scratch
};

}  // namespace heed::grammar::gbnf
