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
/// the first ones, `start`. What is below a node for which it returns false is left out. `states` has them by depth: of use only to
/// keep its memory from one walk to the next.
template <class State, class Enter>
void walk(const TokenTrie& trie, const Branches& branches, State start, std::vector<State>& states, Enter enter) {
  if (states.size() <= trie.longest()) states.resize(trie.longest() + 1);
  states[0] = std::move(start);
  for (std::uint32_t entry = branches.entry, next; entry < branches.end; entry = next) {
    const std::size_t first = entry == branches.entry ? branches.depth : std::size_t{trie.entry(entry).shared};
    next = entry + 1;
    const std::string_view text = trie.text(entry);
    for (std::size_t depth = first; depth < text.size(); ++depth) {
      const State& before = states[depth - branches.depth];
      State& after = states[depth - branches.depth + 1];
      after = before;
      const TokenTrie::Node node{entry, static_cast<std::uint16_t>(depth), static_cast<std::uint8_t>(text[depth]),
                                 depth + 1 == text.size()};
      if (!enter(node, before, after)) {
        next = trie.end(node);
        break;
      }
    }
  }
}
template <class State, class Enter>
void walk(const TokenTrie& trie, const Branches& branches, State start, Enter enter) {
  std::vector<State> states;
  walk(trie, branches, std::move(start), states, enter);
}

}  // namespace heed::grammar
