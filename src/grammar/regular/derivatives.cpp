// Derivatives of an expression by a byte.
#include <algorithm>
#include <utility>

#include "grammar/regular/characters.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

/// The byte sequences of a set of characters, computed on demand.
Regular RegularPool::expansion(Regular characters) {
  const Node node = nodes_[characters];
  const std::size_t index = std::size_t{3} * node.a + node.b;
  if (index >= expansions_.size()) expansions_.resize(index + 1, Regular::kNothing);
  if (expansions_[index] == Regular::kNothing) {
    const CodePoints points = code_points_[node.a];
    const Regular spelled = spell(*this, points, static_cast<Spelling>(node.b));
    expansions_[index] = spelled;
  }
  return expansions_[index];
}

const ByteClasses& RegularPool::classes(Regular expression) { return *find_classes(expression); }

const ByteClasses* RegularPool::find_classes(Regular expression) {
  const auto index = static_cast<std::size_t>(expression);
  if (!classes_[index]) {
    budget_.spend();
    const ByteClasses* found = classes_of_operands(expression);
    classes_[index] = found;
  }
  return classes_[index];
}

const ByteClasses* RegularPool::classes_of_operands(Regular expression) {
  const Node node = nodes_[expression];
  switch (node.kind) {
    case Kind::nothing:
    case Kind::empty_text: return class_table_.whole();
    case Kind::bytes: return class_table_.split(byte_sets_[node.a]);
    case Kind::characters: return find_classes(expansion(expression));
    case Kind::repeat:
    case Kind::complement: return find_classes(Regular{node.a});
    case Kind::automaton: {
      ByteClassTable::Keys keys;
      for (std::size_t byte = 0; byte < keys.size(); ++byte)
        keys[byte] = automata_[node.a]->class_of(static_cast<std::uint8_t>(byte));
      return class_table_.partition(keys);
    }
    case Kind::concat: {
      const ByteClasses* met = class_table_.whole();
      for (Regular rest = expression;;) {
        const Node part = nodes_[rest];
        if (part.kind != Kind::concat) return class_table_.meet(met, find_classes(rest));
        met = class_table_.meet(met, find_classes(Regular{part.a}));
        if (!accepts_empty(Regular{part.a})) return met;
        rest = Regular{part.b};
      }
    }
    case Kind::any_of:
    case Kind::all_of: break;
  }
  const ByteClasses* met = class_table_.whole();
  for (std::uint32_t i = 0; i < node.member_count; ++i) met = class_table_.meet(met, find_classes(nodes_.members(node)[i]));
  return met;
}

std::uint32_t& RegularPool::cell(Regular expression, std::uint8_t byte) {
  const auto index = static_cast<std::size_t>(expression);
  if (!rows_[index].classes) {
    const ByteClasses* classes = find_classes(expression);
    budget_.spend(1 + classes->first_of.size() / 8);
    const auto first_cell = static_cast<std::uint32_t>(cells_.size());
    cells_.resize(cells_.size() + classes->first_of.size(), kUnknownCell);
    rows_[index] = {classes, first_cell};
  }
  return cells_[rows_[index].first_cell + rows_[index].classes->of[byte]];
}

Regular RegularPool::exact_derivative(Regular expression, std::uint8_t byte) {
  const Regular derived = without_nothing(raw_derivative(expression, byte));
  cell(expression, byte) = static_cast<std::uint32_t>(derived) | kExact;
  return derived;
}

bool RegularPool::contains(Regular expression, std::string_view text) {
  for (const char byte : text) expression = raw_derivative(expression, static_cast<std::uint8_t>(byte));
  return accepts_empty(expression);
}

/// The derivative, not checked for emptiness: it may be another expression of the empty language than kNothing. The search for
/// emptiness uses it.
Regular RegularPool::raw_derivative(Regular expression, std::uint8_t byte) {
  if (const std::uint32_t known = cell(expression, byte); known != kUnknownCell) return static_cast<Regular>(known & ~kExact);
  const Regular derived = derivative(expression, byte);
  cell(expression, byte) = static_cast<std::uint32_t>(derived);
  return derived;
}

Regular RegularPool::derivative(Regular expression, std::uint8_t byte) {
  const Node node = nodes_[expression];
  budget_.spend();
  switch (node.kind) {
    case Kind::nothing:
    case Kind::empty_text: return Regular::kNothing;
    case Kind::bytes: return byte_sets_[node.a].contains(byte) ? Regular::kEmptyText : Regular::kNothing;
    case Kind::characters: return raw_derivative(expansion(expression), byte);
    case Kind::concat: return derivative_of_concat(expression, byte);
    case Kind::repeat: {
      const Regular begun = raw_derivative(Regular{node.a}, byte);
      if (begun == Regular::kNothing) return begun;
      const std::uint32_t max = node.max == kUnlimited ? kUnlimited : node.max - 1;
      return before(begun, repeat_unlimited(Regular{node.a}, node.min == 0 ? 0 : node.min - 1, max));
    }
    case Kind::any_of: return any_of(derivatives_of_members(expression, byte));
    case Kind::all_of: return all_of(derivatives_of_members(expression, byte));
    case Kind::complement: return complement(raw_derivative(Regular{node.a}, byte));
    case Kind::automaton: {
      const std::uint32_t state = automata_[node.a]->step(node.b, byte);
      return state == Automaton::kDead ? Regular::kNothing : intern({.kind = Kind::automaton, .a = node.a, .b = state});
    }
  }
  return Regular::kNothing;
}

std::vector<Regular> RegularPool::derivatives_of_members(Regular expression, std::uint8_t byte) {
  const Node node = nodes_[expression];
  std::vector<Regular> derived;
  derived.reserve(node.member_count);
  for (std::uint32_t i = 0; i < node.member_count; ++i) {
    derived.push_back(raw_derivative(nodes_.members(node)[i], byte));
    if (node.kind == Kind::all_of && derived.back() == Regular::kNothing) break;
  }
  return derived;
}

/// concat(begun, rest), distributed over a union so that alternatives with the same rest merge.
Regular RegularPool::before(Regular begun, Regular rest) {
  const Node node = nodes_[begun];
  if (node.kind != Kind::any_of) return concat(begun, rest);
  std::vector<Regular> members;
  members.reserve(node.member_count);
  for (std::uint32_t i = 0; i < node.member_count; ++i) members.push_back(concat(nodes_.members(node)[i], rest));
  return any_of(members);
}

Regular RegularPool::derivative_of_concat(Regular expression, std::uint8_t byte) {
  std::vector<Regular> derived;
  for (Regular rest = expression;;) {
    const Node part = nodes_[rest];
    if (part.kind != Kind::concat) {
      derived.push_back(raw_derivative(rest, byte));
      break;
    }
    const Regular begun = raw_derivative(Regular{part.a}, byte);
    if (begun != Regular::kNothing) derived.push_back(before(begun, Regular{part.b}));
    if (!accepts_empty(Regular{part.a})) break;
    rest = Regular{part.b};
  }
  return derived.size() == 1 ? derived.front() : any_of(derived);
}

}  // namespace heed::grammar
