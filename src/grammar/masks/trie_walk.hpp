// Walks a trie with an automaton.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/masks/token_trie.hpp"

namespace heed::grammar {

/// Calls `enter(node, state, after)` for each node of the branches in order, `state` being what the node above it left in `after`: of
/// the first ones, `start`. What is below a node for which it returns false is left out. `states`: those above the node and before it;
/// of use only to keep its memory from one walk to the next. Before that, `leave_out(entry, state)` says whether all that begins with
/// the first new byte of an entry, before which `state` is, is left out.
template <class State, class LeaveOut, class Enter>
void walk(const TokenTrie& trie, const Branches& branches, State start, std::vector<State>& states, LeaveOut leave_out,
          Enter enter) {
  states.clear();
  states.push_back(std::move(start));
  for (std::uint32_t entry = branches.entry, next; entry < branches.end; entry = next) {
    const std::size_t first = entry == branches.entry ? branches.depth : std::size_t{trie.entry(entry).shared};
    states.erase(states.begin() + static_cast<std::ptrdiff_t>(first - branches.depth + 1), states.end());
    next = entry + 1;
    if (first == trie.entry(entry).shared && leave_out(entry, std::as_const(states.back()))) {
      next = entry + static_cast<std::uint32_t>(trie.entry(entry).span);
      continue;
    }
    const std::string_view text = trie.text(entry);
    for (std::size_t depth = first; depth < text.size(); ++depth) {
      State after = states.back();
      const TokenTrie::Node node{entry, static_cast<std::uint16_t>(depth), static_cast<std::uint8_t>(text[depth]),
                                 depth + 1 == text.size()};
      if (!enter(node, std::as_const(states.back()), after)) {
        next = trie.end(node);
        break;
      }
      states.push_back(std::move(after));
    }
  }
}
template <class State, class Enter>
void walk(const TokenTrie& trie, const Branches& branches, State start, std::vector<State>& states, Enter enter) {
  walk(trie, branches, std::move(start), states, [](std::uint32_t, const State&) { return false; }, enter);
}
template <class State, class Enter>
void walk(const TokenTrie& trie, const Branches& branches, State start, Enter enter) {
  std::vector<State> states;
  walk(trie, branches, std::move(start), states, enter);
}

}  // namespace heed::grammar
