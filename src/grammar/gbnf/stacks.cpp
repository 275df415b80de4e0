#include "grammar/gbnf/stacks.hpp"

#include <algorithm>

#include "grammar/gbnf/components.hpp"

namespace heed::grammar::gbnf {
namespace {

constexpr std::uint32_t kNowhere = UINT32_MAX;
constexpr std::uint32_t kCycle = kWhole - 1;  // the first word of a cycle's contents; not an instruction

Stack pending_stack(std::uint32_t rule) noexcept { return static_cast<Stack>(static_cast<std::uint32_t>(Stack::kPending) + rule); }

template <class Value>
void sort_unique(std::vector<Value>& values) {
  std::ranges::sort(values);
  const auto again = std::ranges::unique(values);
  values.erase(again.begin(), again.end());
}

}  // namespace

Stacks::Stacks(Budget& budget) : budget_(budget) {
  const Return whole{kWhole, 0, Stack::kBottom};
  const std::vector<std::uint32_t> words = {kWhole, 0, 0};
  contents_.intern(words);
  by_contents_.push_back(add({&whole, 1}));
}

Stack Stacks::add(std::span<const Return> returns) {
  returns_.insert(returns_.end(), returns.begin(), returns.end());
  begins_.push_back(returns_.size());
  return static_cast<Stack>(begins_.size() - 2);
}

void Stacks::begin() noexcept {
  for (const Pending& old : pending_) places_[old.rule] = kNowhere;
  pending_.clear();
}

Stacks::Called Stacks::call(RuleId rule) {
  if (places_.size() <= rule) places_.resize(rule + 1, kNowhere);
  const bool first = places_[rule] == kNowhere;
  if (first) {
    places_[rule] = static_cast<std::uint32_t>(pending_.size());
    pending_.push_back({.rule = rule});
  }
  return {pending_stack(rule), first};
}

Stacks::Called Stacks::call(RuleId rule, const Return& to) {
  const Called called = call(rule);
  pending_[place(called.stack)].returns.push_back(to);
  return called;
}

Stacks::Called Stacks::call_last(RuleId rule, Stack stack) {
  const Called called = call(rule);
  pending_[place(called.stack)].same.push_back(stack);
  return called;
}

Stack Stacks::settled(Stack stack) const noexcept { return is_pending(stack) ? pending_[place(stack)].result : stack; }

/// The canonical stack: final, or pending without an alias.
Stack Stacks::resolved(Stack stack) const noexcept {
  return is_pending(stack) ? pending_[place(stack)].alias.value_or(stack) : stack;
}

/// Resolves tail calls: adds to each pending stack the returns of the stacks in `same`, or sets its alias if it equals one of them.
/// Tail calls make long chains of aliases.
void Stacks::gather() {
  Graph parts(pending_.size());
  for (std::uint32_t i = 0; i < pending_.size(); ++i) {
    for (const Stack same : pending_[i].same) {
      if (is_pending(same)) parts[i].push_back(place(same));
    }
  }
  for (const Component& component : components(parts)) {
    std::vector<Return> returns;
    std::vector<Stack> others;
    for (const std::uint32_t i : component.nodes) {
      returns.insert(returns.end(), pending_[i].returns.begin(), pending_[i].returns.end());
      for (const Stack same : pending_[i].same) {
        if (const Stack other = resolved(same); !is_pending(other) || !std::ranges::binary_search(component.nodes, place(other)))
          others.push_back(other);
      }
    }
    sort_unique(others);
    if (returns.empty() && others.size() == 1) {
      for (const std::uint32_t i : component.nodes) pending_[i].alias = others[0];
      continue;
    }
    for (const Stack other : others) {
      const std::span<const Return> more = is_pending(other) ? pending_[place(other)].returns : (*this)[other];
      budget_.spend(1 + 2 * more.size());
      returns.insert(returns.end(), more.begin(), more.end());
    }
    sort_unique(returns);
    for (const std::uint32_t i : component.nodes) pending_[i].returns = returns;
  }
}

void Stacks::settle() {
  budget_.spend(8 * pending_.size());
  gather();
  Graph below(pending_.size());
  for (std::uint32_t i = 0; i < pending_.size(); ++i) {
    if (pending_[i].alias) continue;
    for (Return& to : pending_[i].returns) {
      to.below = resolved(to.below);
      if (is_pending(to.below)) below[i].push_back(place(to.below));
    }
  }
  for (const Component& component : components(below)) {
    if (!pending_[component.nodes[0]].alias) make(component.nodes, component.cyclic);
  }
  for (Pending& one : pending_) {
    if (one.alias) one.result = is_pending(*one.alias) ? pending_[place(*one.alias)].result : *one.alias;
  }
}

/// Makes a cycle of stacks, or a single stack, final. Each stack below must be final or among `members`.
void Stacks::make(std::span<const std::uint32_t> members, bool cyclic) {
  words_.clear();
  if (cyclic) words_.push_back(kCycle);
  for (const std::uint32_t member : members) {
    auto& returns = pending_[member].returns;
    for (Return& to : returns) {
      if (!is_pending(to.below)) continue;
      const auto inner = std::ranges::lower_bound(members, place(to.below));
      const bool among = inner != members.end() && *inner == place(to.below);
      to.below = among ? pending_stack(static_cast<std::uint32_t>(inner - members.begin())) : settled(to.below);
    }
    sort_unique(returns);
    budget_.spend(4 + 4 * returns.size());
    if (cyclic) words_.push_back(static_cast<std::uint32_t>(returns.size()));
    for (const Return& to : returns) words_.insert(words_.end(), {to.instruction, to.count, static_cast<std::uint32_t>(to.below)});
  }
  const auto [id, fresh] = contents_.intern(words_);
  if (fresh) {
    const auto base = static_cast<std::uint32_t>(begins_.size() - 1);
    for (const std::uint32_t member : members) {
      auto returns = pending_[member].returns;
      for (Return& to : returns) {
        if (is_pending(to.below))
          to.below = static_cast<Stack>(base + static_cast<std::uint32_t>(to.below) - static_cast<std::uint32_t>(Stack::kPending));
      }
      add(returns);
    }
    by_contents_.push_back(static_cast<Stack>(base));
  }
  const auto base = static_cast<std::uint32_t>(by_contents_[id]);
  for (std::size_t i = 0; i < members.size(); ++i) pending_[members[i]].result = static_cast<Stack>(base + i);
}

}  // namespace heed::grammar::gbnf
