// Decides whether an expression is empty. For most kinds of nodes the operands decide; intersections and complements need a search.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "grammar/regular/pool.hpp"

namespace heed::grammar {

bool RegularPool::is_nothing(Regular expression) { return !has_text(expression); }

bool RegularPool::has_text(Regular expression) {
  const auto known = [&](Regular part) { return nodes_[part].liveness; };
  if (known(expression) != Liveness::unknown) return known(expression) == Liveness::alive;
  const Node node = nodes_[expression];
  bool found = false;
  switch (node.kind) {
    case Kind::concat:
      found = true;
      for (Regular rest = expression; found && known(rest) != Liveness::alive;) {
        if (nodes_[rest].kind != Kind::concat) {
          found = has_text(rest);
          break;
        }
        found = has_text(Regular{nodes_[rest].a});
        rest = Regular{nodes_[rest].b};
      }
      break;
    case Kind::repeat: found = has_text(Regular{node.a}); break;
    case Kind::any_of:
      for (std::uint32_t i = 0; !found && i < node.member_count; ++i) found = has_text(nodes_.members(node)[i]);
      break;
    default: return search(expression);
  }
  nodes_[expression].liveness = found ? Liveness::alive : Liveness::nothing;
  return found;
}

/// Best-first search over derivatives, by least length, for one that has a text. If there is one, stores that all derivatives on
/// the path to it have a text; otherwise, that no reached derivative has one.
bool RegularPool::search(Regular expression) {
  struct Reached {
    Regular expression;
    std::size_t from;
  };
  std::vector<Reached> reached = {{expression, 0}};
  std::unordered_map<std::uint32_t, bool> seen = {{static_cast<std::uint32_t>(expression), true}};
  std::vector<std::pair<std::uint32_t, std::size_t>> open;  // a heap: least length in bytes, index in `reached`
  const auto later = [](const auto& a, const auto& b) { return std::pair(a.first, ~a.second) > std::pair(b.first, ~b.second); };
  const auto follow = [&](std::size_t index) {
    open.emplace_back(nodes_[reached[index].expression].min_bytes, index);
    std::ranges::push_heap(open, later);
  };
  follow(0);

  // Whether `derived` is already known to have a text. If not, queues the parts that decide it.
  const auto has_text_at_once = [&](Regular derived, std::size_t from) {
    std::vector<Regular> waiting = {derived};
    while (!waiting.empty()) {
      const Regular next = waiting.back();
      waiting.pop_back();
      const Node node = nodes_[next];
      if (node.liveness == Liveness::alive) return true;
      if (node.liveness == Liveness::nothing) continue;
      budget_.spend();
      switch (node.kind) {
        case Kind::concat:  // the nested search for the head cannot reach this expression again
          if (has_text(Regular{node.a})) waiting.push_back(Regular{node.b});
          break;
        case Kind::any_of: {
          const auto members = nodes_.members(node);
          waiting.insert(waiting.end(), members.begin(), members.end());
          break;
        }
        case Kind::all_of:
        case Kind::complement:
          if (seen.emplace(static_cast<std::uint32_t>(next), true).second) {
            reached.push_back({next, from});
            follow(reached.size() - 1);
          }
          break;
        default:
          if (has_text(next)) return true;
      }
    }
    return false;
  };

  while (!open.empty()) {
    std::ranges::pop_heap(open, later);
    const std::size_t from = open.back().second;
    open.pop_back();
    const Regular current = reached[from].expression;
    const ByteClasses& bytes = classes(current);
    for (const std::uint8_t byte : bytes.first_of) {  // ASCII first: longer characters need more steps
      if (!has_text_at_once(raw_derivative(current, byte), from)) continue;
      for (std::size_t at = from;; at = reached[at].from) {
        nodes_[reached[at].expression].liveness = Liveness::alive;
        if (at == 0) return true;
      }
    }
  }
  for (const Reached& each : reached) nodes_[each.expression].liveness = Liveness::nothing;
  return false;
}

/// Removes empty alternatives.
Regular RegularPool::without_nothing(Regular expression) {
  const Node node = nodes_[expression];
  if (node.kind != Kind::any_of) return has_text(expression) ? expression : Regular::kNothing;
  std::vector<Regular> kept;
  for (std::uint32_t i = 0; i < node.member_count; ++i)
    if (const Regular member = nodes_.members(node)[i]; has_text(member)) kept.push_back(member);
  return kept.size() == node.member_count ? expression : any_of(kept);
}

}  // namespace heed::grammar
