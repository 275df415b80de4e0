#include "grammar/regular/pool.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "grammar/refusal.hpp"

namespace heed::grammar {
namespace {

/// Deeper expressions could overflow the stack.
constexpr std::uint32_t kDeepest = 500;

std::uint32_t saturated(std::uint64_t count) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kUnlimited)); }

std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return saturated(std::uint64_t{a} + b); }

/// Saturating; 0 * kUnlimited = 0.
std::uint32_t product(std::uint32_t a, std::uint32_t b) { return saturated(std::uint64_t{a} * b); }

std::uint8_t common_spelling(std::uint8_t a, std::uint8_t b) {
  if (a == Node::kEverySpelling || a == b) return b;
  return b == Node::kEverySpelling ? a : Node::kNoSpelling;
}

}  // namespace

std::size_t RegularPool::HashBytes::operator()(const ByteSet& set) const {
  std::size_t hash = 0;
  for (const std::uint64_t word : set.words()) hash = hash_with(hash_with(hash, word), word >> 32);
  return hash;
}

std::size_t RegularPool::HashPoints::operator()(const CodePoints& points) const {
  std::size_t hash = 0;
  for (const auto [first, last] : points.ranges()) hash = hash_with(hash_with(hash, first), last);
  return hash;
}

RegularPool::RegularPool(Budget& budget) : budget_(budget) {
  intern({.kind = Kind::nothing});
  intern({.kind = Kind::empty_text});
  intern({.kind = Kind::complement, .a = static_cast<std::uint32_t>(Regular::kNothing)});
}

Regular RegularPool::intern(Node node, std::span<const Regular> members) {
  const NodeTable::Place place = nodes_.find(node, members);
  if (place.found) return place.expression;
  budget_.spend(1 + members.size());
  describe(node, members);
  measure(node, members);
  rows_.emplace_back();
  classes_.push_back(nullptr);
  return nodes_.add(node, members, place);
}

/// Sets accepts_empty, liveness, min_bytes and depth.
void RegularPool::describe(Node& node, std::span<const Regular> members) const {
  const Node* a = nodes_.size() > node.a ? &nodes_[Regular{node.a}] : nullptr;
  std::uint32_t depth = 0;
  const auto alive_if = [](bool alive) { return alive ? Liveness::alive : Liveness::unknown; };
  switch (node.kind) {
    case Kind::nothing: node.liveness = Liveness::nothing; break;
    case Kind::empty_text:
      node.accepts_empty = true;
      node.liveness = Liveness::alive;
      break;
    case Kind::bytes:
    case Kind::characters:
      node.liveness = Liveness::alive;
      node.min_bytes = 1;
      break;
    case Kind::automaton:
      node.accepts_empty = automata_[node.a]->accepts(node.b);
      node.liveness = Liveness::alive;
      node.min_bytes = node.accepts_empty ? 0 : 1;
      break;
    case Kind::concat: {
      const Node& b = nodes_[Regular{node.b}];
      node.accepts_empty = a->accepts_empty && b.accepts_empty;
      node.liveness = alive_if(a->liveness == Liveness::alive && b.liveness == Liveness::alive);
      node.min_bytes = sum(a->min_bytes, b.min_bytes);
      depth = std::max(a->depth + 1U, std::uint32_t{b.depth});
      break;
    }
    case Kind::repeat:
      node.accepts_empty = node.min == 0;
      node.liveness = alive_if(node.min == 0 || a->liveness == Liveness::alive);
      node.min_bytes = product(node.min, a->min_bytes);
      depth = a->depth + 1U;
      break;
    case Kind::complement:
      node.accepts_empty = !a->accepts_empty;
      node.liveness = alive_if(node.accepts_empty);
      node.min_bytes = node.accepts_empty ? 0 : 1;
      depth = a->depth + 1U;
      break;
    case Kind::any_of:
      node.min_bytes = kUnlimited;
      for (const Regular member : members) {
        const Node& part = nodes_[member];
        node.accepts_empty |= part.accepts_empty;
        if (part.liveness == Liveness::alive) node.liveness = Liveness::alive;
        node.min_bytes = std::min(node.min_bytes, part.min_bytes);
        depth = std::max(depth, part.depth + 1U);
      }
      break;
    case Kind::all_of:
      node.accepts_empty = true;
      for (const Regular member : members) {
        const Node& part = nodes_[member];
        node.accepts_empty &= part.accepts_empty;
        node.min_bytes = std::max(node.min_bytes, part.min_bytes);
        depth = std::max(depth, part.depth + 1U);
      }
      node.liveness = alive_if(node.accepts_empty);
      break;
  }
  if (depth > kDeepest)
    throw Refusal{"too-large", "", "", "an expression is nested more than " + std::to_string(kDeepest) + " deep"};
  node.depth = static_cast<std::uint16_t>(depth);
}

/// Sets spelling, least, most and most_left.
void RegularPool::measure(Node& node, std::span<const Regular> members) const {
  switch (node.kind) {
    case Kind::nothing:
    case Kind::bytes:
    case Kind::complement:
    case Kind::automaton: break;
    case Kind::empty_text:
      node.spelling = Node::kEverySpelling;
      node.least_is_attained = true;
      node.most_left = 0;
      break;
    case Kind::characters:
      node.spelling = static_cast<std::uint8_t>(node.b);
      node.least = node.most = node.most_left = 1;
      node.least_is_attained = true;
      break;
    case Kind::concat: {
      const Node& a = nodes_[Regular{node.a}];
      const Node& b = nodes_[Regular{node.b}];
      node.spelling = common_spelling(a.spelling, b.spelling);
      node.least = sum(a.least, b.least);
      node.most = sum(a.most, b.most);
      node.least_is_attained = a.least_is_attained && b.least_is_attained;
      if (b.least_is_attained) node.most_left = std::max(sum(a.most_left, b.least), b.most_left);
      break;
    }
    case Kind::repeat: {
      const Node& a = nodes_[Regular{node.a}];
      node.spelling = a.spelling;
      node.least = product(node.min, a.least);
      node.most = product(node.max, a.most);
      node.least_is_attained = node.min == 0 || a.least_is_attained;
      if (node.min <= 1 || a.least_is_attained) node.most_left = sum(a.most_left, product(std::max(node.min, 1U) - 1, a.least));
      break;
    }
    case Kind::any_of:
      node.spelling = Node::kEverySpelling;
      node.least = kUnlimited;
      node.most_left = 0;
      for (const Regular member : members) {
        const Node& part = nodes_[member];
        node.most_left = std::max(node.most_left, part.most_left);
        node.spelling = common_spelling(node.spelling, part.spelling);
        if (part.least < node.least || (part.least == node.least && part.least_is_attained)) {
          node.least = part.least;
          node.least_is_attained = part.least_is_attained;
        }
        node.most = std::max(node.most, part.most);
      }
      break;
    case Kind::all_of:
      for (const Regular member : members) {
        const Node& part = nodes_[member];
        if (part.spelling == Node::kNoSpelling) continue;
        if (node.spelling == Node::kNoSpelling) {
          node.spelling = part.spelling;
          node.most = kUnlimited;
        }
        if (part.spelling != node.spelling) continue;
        node.least = std::max(node.least, part.least);
        node.most = std::min(node.most, part.most);
      }
      // If one member contains all texts of some lengths, the shortest text of the other may be in both.
      if (members.size() == 2 && node.spelling != Node::kNoSpelling)
        for (const bool second : {false, true}) {
          const Node& text = nodes_[members[second ? 1 : 0]];
          const Regular lengths = members[second ? 0 : 1];
          const Node& limits = nodes_[lengths];
          if (is_any_text(lengths) && limits.spelling == text.spelling && text.least_is_attained &&
              text.liveness == Liveness::alive && limits.least <= text.least && text.least <= limits.most) {
            node.liveness = Liveness::alive;
            node.least_is_attained = true;
          }
        }
      break;
  }
  if (node.least == kUnlimited) node.least_is_attained = false;
}

Regular RegularPool::bytes(const ByteSet& set) {
  if (set.empty()) return Regular::kNothing;
  return intern({.kind = Kind::bytes, .a = byte_sets_.index_of(set)});
}

Regular RegularPool::characters(const CodePoints& points, Spelling spelling) {
  if (points.empty()) return Regular::kNothing;
  return intern({.kind = Kind::characters, .a = code_points_.index_of(points), .b = static_cast<std::uint32_t>(spelling)});
}

Regular RegularPool::literal(std::string_view bytes) {
  Regular result = Regular::kEmptyText;
  for (std::size_t i = bytes.size(); i-- > 0;)
    result = concat(this->bytes(ByteSet::of(static_cast<std::uint8_t>(bytes[i]))), result);
  return result;
}

Regular RegularPool::automaton(std::unique_ptr<Automaton> automaton) {
  const auto found = std::ranges::find_if(automata_, [&](const auto& other) { return other->key() == automaton->key(); });
  const auto index = static_cast<std::uint32_t>(found - automata_.begin());
  if (found == automata_.end()) automata_.push_back(std::move(automaton));
  const std::uint32_t start = automata_[index]->start();
  return start == Automaton::kDead ? Regular::kNothing : intern({.kind = Kind::automaton, .a = index, .b = start});
}

RegularPool::Term RegularPool::term(Regular expression) const {
  const Node& whole = nodes_[expression];
  const bool concatenated = whole.kind == Kind::concat;
  const Regular head = concatenated ? Regular{whole.a} : expression;
  const Regular tail = concatenated ? Regular{whole.b} : Regular::kEmptyText;
  const Node& node = nodes_[head];
  if (node.kind == Kind::repeat) return {Regular{node.a}, node.min, node.max, tail};
  return {head, 1, 1, tail};
}

Regular RegularPool::repeat_term(const Term& term) { return concat(repeat_unlimited(term.base, term.min, term.max), term.tail); }

Regular RegularPool::concat(std::span<const Regular> parts) {
  Regular result = Regular::kEmptyText;
  for (std::size_t i = parts.size(); i-- > 0;) result = concat(parts[i], result);
  return result;
}

Regular RegularPool::concat(Regular head, Regular tail) {
  if (is_nothing_yet(head) || is_nothing_yet(tail)) return Regular::kNothing;
  if (tail == Regular::kEmptyText) return head;
  std::vector<Regular> heads;
  while (nodes_[head].kind == Kind::concat) {
    heads.push_back(Regular{nodes_[head].a});
    head = Regular{nodes_[head].b};
  }
  const Regular last = together(head);
  tail = last == head ? prepend(head, tail) : concat(last, tail);
  for (std::size_t i = heads.size(); i-- > 0;) tail = prepend(heads[i], tail);
  return tail;
}

/// concat() for a head that is not a concatenation.
Regular RegularPool::prepend(Regular head, Regular tail) {
  if (head == Regular::kEmptyText) return together(tail);
  const Term first = term(head);
  const Term next = term(tail);
  if (first.base == next.base) {
    if (head == kEverything) return tail;
    const bool repeated = head != first.base || nodes_[tail].kind == Kind::repeat ||
                          (nodes_[tail].kind == Kind::concat && Regular{nodes_[tail].a} != next.base);
    const std::uint32_t min = sum(first.min, next.min);
    const std::uint32_t max = sum(first.max, next.max);
    const bool counts = min != kUnlimited && (max != kUnlimited || first.max == kUnlimited || next.max == kUnlimited);
    if (repeated && counts) {
      const Regular merged = repeat_unlimited(first.base, min, max);
      if (next.tail == Regular::kEmptyText) return merged;
      return intern({.kind = Kind::concat, .a = static_cast<std::uint32_t>(merged), .b = static_cast<std::uint32_t>(next.tail)});
    }
  }
  return intern({.kind = Kind::concat, .a = static_cast<std::uint32_t>(head), .b = static_cast<std::uint32_t>(tail)});
}

Regular RegularPool::complement(Regular expression) {
  if (is_nothing_yet(expression)) return kEverything;
  if (nodes_[expression].kind == Kind::complement) return Regular{nodes_[expression].a};
  return intern({.kind = Kind::complement, .a = static_cast<std::uint32_t>(expression)});
}

Regular RegularPool::repeat(Regular expression, std::uint64_t min, std::optional<std::uint64_t> max) {
  if (min >= kUnlimited || (max && *max >= kUnlimited))
    throw Refusal{"too-large", "", "", "a repeat's count must be below " + std::to_string(kUnlimited)};
  return repeat_unlimited(expression, static_cast<std::uint32_t>(min), max ? static_cast<std::uint32_t>(*max) : kUnlimited);
}

Regular RegularPool::repeat_unlimited(Regular expression, std::uint32_t min, std::uint32_t max) {
  if (max < min) return Regular::kNothing;
  if (max == 0 || expression == Regular::kEmptyText) return Regular::kEmptyText;
  if (is_nothing_yet(expression)) return min == 0 ? Regular::kEmptyText : Regular::kNothing;
  if (expression == kEverything) return kEverything;
  if (nodes_[expression].accepts_empty) min = 0;
  if (const auto members = nodes_.members(nodes_[expression]);
      nodes_[expression].kind == Kind::any_of && members.front() == Regular::kEmptyText) {
    const std::vector<Regular> rest(members.begin() + 1, members.end());
    expression = any_of(rest);
  }
  if (max == 1 && (min == 1 || nodes_[expression].accepts_empty)) return expression;
  if (const Node& inner = nodes_[expression]; inner.kind == Kind::repeat) {
    // (e{a,b}){k} = e{ka,kb}. If there is no gap between the ranges of k = min and k = min + 1, there is none later.
    const std::uint64_t end = inner.max == kUnlimited ? (min == 0 ? 0 : kUnlimited) : std::uint64_t{min} * inner.max;
    const bool gapless = min == max || end + 1 >= (std::uint64_t{min} + 1) * inner.min;
    const std::uint64_t least = std::uint64_t{min} * inner.min;
    const bool limited = max != kUnlimited && inner.max != kUnlimited;
    const std::uint64_t most = limited ? std::uint64_t{max} * inner.max : kUnlimited;
    if (gapless && least < kUnlimited && (!limited || most < kUnlimited))
      return repeat_unlimited(Regular{inner.a}, static_cast<std::uint32_t>(least), static_cast<std::uint32_t>(most));
  }
  return intern({.kind = Kind::repeat, .a = static_cast<std::uint32_t>(expression), .min = min, .max = max});
}

/// Whether it is any_character{min,max}, in some spelling.
bool RegularPool::is_any_text(Regular expression) const {
  const Node& node = nodes_[expression];
  const Node& inner = node.kind == Kind::repeat ? nodes_[Regular{node.a}] : node;
  if (inner.kind != Kind::characters) return false;
  const auto ranges = code_points_[inner.a].ranges();
  return ranges.size() == 2 && ranges.front().first == 0 && ranges.back().last == kLastCodePoint;  // all but surrogates
}

std::optional<Limited> RegularPool::limited(Regular expression) const {
  const Node& whole = nodes_[expression];
  const bool concatenated = whole.kind == Kind::concat;
  const auto members = nodes_.members(nodes_[concatenated ? Regular{whole.a} : expression]);
  if (nodes_[concatenated ? Regular{whole.a} : expression].kind != Kind::all_of || members.size() != 2) return std::nullopt;
  const bool second = is_any_text(members[1]);
  if (!second && !is_any_text(members[0])) return std::nullopt;
  const Regular texts = members[second ? 0 : 1];
  const Term lengths = term(members[second ? 1 : 0]);
  const Node& text = nodes_[texts];
  if (text.spelling != nodes_[lengths.base].spelling || text.least < lengths.min || text.most_left == kUnlimited)
    return std::nullopt;
  return Limited{texts, lengths.base, lengths.max, text.most_left, concatenated ? Regular{whole.b} : Regular::kEmptyText};
}

std::optional<Counted> RegularPool::counted(Regular expression) const {
  const Term found = term(expression);
  if (nodes_[found.base].kind != Kind::characters) return std::nullopt;
  return Counted{found.base, found.min, found.max, found.tail};
}

}  // namespace heed::grammar
