// Strongly connected components of a directed graph (Tarjan, "Depth-first search and linear graph algorithms", 1972), without
// recursion, because a hostile grammar can have a path of 100,000 rules.
#pragma once

#include <cstdint>
#include <vector>

namespace heed::grammar::gbnf {

using Graph = std::vector<std::vector<std::uint32_t>>;  // [nodes] targets of the node's edges

struct Component {
  std::vector<std::uint32_t> nodes;  // ascending
  bool cyclic;                       // has several nodes, or one with an edge to itself
};

/// In reverse topological order: each component comes after the components that its edges lead to.
std::vector<Component> components(const Graph& graph);

}  // namespace heed::grammar::gbnf
