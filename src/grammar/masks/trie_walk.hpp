// Walks a trie with an automaton.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/masks/token_trie.hpp"

namespace heed::grammar {

/// Calls `enter(node, before, after)` for each node of the branches in order. `before` is the state that the node's parent stored
/// in `after`, or `start`. Skips everything below a node for which `enter` returns false. `states` is scratch: passing it saves
/// allocations.
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
