#include "grammar/gbnf/components.hpp"

#include <algorithm>
#include <cstddef>

namespace heed::grammar::gbnf {

std::vector<Component> components(const Graph& graph) {
  constexpr std::uint32_t kUnseen = UINT32_MAX;
  constexpr std::uint32_t kPlaced = UINT32_MAX - 1;  // for nodes that already have a component
  struct Visit {
    std::uint32_t node;
    std::size_t next = 0;  // index of the next edge to follow
  };
  std::vector<std::uint32_t> lowest(graph.size(), kUnseen);  // the lowest number of a reachable node on `open`
  std::vector<std::uint32_t> number(graph.size());
  std::vector<std::uint32_t> open;
  std::vector<Visit> path;
  std::vector<Component> found;
  std::uint32_t count = 0;
  const auto enter = [&](std::uint32_t node) {
    lowest[node] = number[node] = count++;
    open.push_back(node);
    path.push_back({node});
  };
  for (std::uint32_t root = 0; root < graph.size(); ++root) {
    if (lowest[root] != kUnseen) continue;
    enter(root);
    while (!path.empty()) {
      const std::uint32_t node = path.back().node;
      if (path.back().next < graph[node].size()) {
        const std::uint32_t target = graph[node][path.back().next++];
        if (lowest[target] == kUnseen) enter(target);
        else if (lowest[target] != kPlaced) lowest[node] = std::min(lowest[node], number[target]);
        continue;
      }
      path.pop_back();
      const std::uint32_t reached = lowest[node];
      if (reached == number[node]) {
        auto first = open.end() - 1;
        while (*first != node) --first;
        Component component{{first, open.end()},
                            open.end() - first > 1 || std::ranges::find(graph[node], node) != graph[node].end()};
        for (const std::uint32_t member : component.nodes) lowest[member] = kPlaced;
        open.erase(first, open.end());
        std::ranges::sort(component.nodes);
        found.push_back(std::move(component));
      }
      if (!path.empty() && reached != number[node]) {
        auto& above = lowest[path.back().node];
        above = std::min(above, reached);
      }
    }
  }
  return found;
}

}  // namespace heed::grammar::gbnf
