// Strongly connected components of a directed graph (Tarjan, "Depth-first search and linear graph algorithms", 1972), without
// recursion: a hostile grammar's graph can be one path of 100,000 rules.
#pragma once

#include <cstdint>
#include <vector>

namespace heed::grammar::gbnf {

using Graph = std::vector<std::vector<std::uint32_t>>;  // [nodes] the nodes that each points to

struct Component {
  std::vector<std::uint32_t> nodes;  // ascending
  bool cyclic;                       // more than one node, or one that points to itself
};

/// Each component comes after all that it points to.
std::vector<Component> components(const Graph& graph);

}  // namespace heed::grammar::gbnf
