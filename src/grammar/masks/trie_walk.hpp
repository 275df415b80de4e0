// Walks a trie with an automaton.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "grammar/masks/token_trie.hpp"

namespace heed::grammar {

/// Where a walk is: of use only to keep its memory from one walk to the next.
template <class State>
struct WalkLevel {
  std::uint32_t end;  // of the branches below a node
  State state;
};

/// Calls `enter(node, state, after)` for each node of the branches in order, `state` being what the node above it left in `after`: of
/// the first ones, `start`. What is below a node for which it returns false is left out.
template <class State, class Enter>
void walk(const TokenTrie& trie, Branches branches, State start, std::vector<WalkLevel<State>>& levels, Enter enter) {
  const auto nodes = trie.nodes();
  levels.clear();
  levels.push_back({branches.end, std::move(start)});
  for (std::uint32_t node = branches.begin; node < branches.end;) {
    while (node >= levels.back().end) levels.pop_back();
    State after = levels.back().state;
    const std::uint32_t end = node + nodes[node].size;
    if (!enter(node, std::as_const(levels.back().state), after)) {
      node = end;
      continue;
    }
    if (++node < end) levels.push_back({end, std::move(after)});
  }
}
template <class State, class Enter>
void walk(const TokenTrie& trie, Branches branches, State start, Enter enter) {
  std::vector<WalkLevel<State>> levels;
  walk(trie, branches, std::move(start), levels, enter);
}

}  // namespace heed::grammar
