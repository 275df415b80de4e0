// Intersections in normal form. Simplifies what can be decided locally, so that few intersections need a search.
#include <algorithm>
#include <utility>

#include "grammar/regular/pool.hpp"

namespace heed::grammar {

Regular RegularPool::all_of(std::span<const Regular> parts) {
  std::vector<Regular> members(parts.begin(), parts.end());
  std::vector<Regular> heads;  // common heads that have been removed from all members
  Regular result;
  for (;;) {
    std::vector<Regular> flat;
    for (const Regular member : members) {
      if (is_nothing_yet(member)) return Regular::kNothing;
      const auto inner = nodes_.members(nodes_[member]);
      if (nodes_[member].kind == Kind::all_of) flat.insert(flat.end(), inner.begin(), inner.end());
      else if (member != kEverything) flat.push_back(together(member));
    }
    budget_.spend(4 + 2 * flat.size());
    std::ranges::sort(flat);
    flat.erase(std::ranges::unique(flat).begin(), flat.end());
    members = std::move(flat);
    if (members.empty()) {
      result = kEverything;
      break;
    }
    if (members.front() == Regular::kEmptyText) {
      if (!std::ranges::all_of(members, [&](Regular member) { return accepts_empty(member); })) return Regular::kNothing;
      result = Regular::kEmptyText;
      break;
    }
    if (!meet_complements(members) || !meet_characters(members) || !meet_lengths(members)) return Regular::kNothing;
    const Regular head = members.size() == 1 ? Regular::kEmptyText : meet_heads(members);
    if (head == Regular::kNothing) return Regular::kNothing;
    if (head == Regular::kEmptyText) {
      result = join(Kind::all_of, members);
      break;
    }
    heads.push_back(head);
  }
  heads.push_back(result);
  return concat(heads);
}

/// ~a & ~b = ~(a | b). False if the intersection is empty.
bool RegularPool::meet_complements(std::vector<Regular>& members) {
  std::vector<Regular> excluded;
  for (const Regular member : members)
    if (nodes_[member].kind == Kind::complement) excluded.push_back(Regular{nodes_[member].a});
  if (excluded.empty()) return true;
  if (excluded.size() > 1) {
    std::erase_if(members, [&](Regular member) { return nodes_[member].kind == Kind::complement; });
    const Regular all_excluded = any_of(excluded);
    if (all_excluded == kEverything) return false;
    members.push_back(complement(all_excluded));
    excluded = {all_excluded};
  }
  const Node& out = nodes_[excluded.front()];
  const auto alternatives = nodes_.members(out);
  return std::ranges::none_of(members, [&](Regular member) {
    return member == excluded.front() || (out.kind == Kind::any_of && std::ranges::binary_search(alternatives, member));
  });
}

/// [a-c]{1,8} & [b-d]{2,9} = [bc]{2,8}, because characters are uniquely decodable. False if the intersection is empty.
bool RegularPool::meet_characters(std::vector<Regular>& members) {
  const auto sort_of = [&](Regular member) -> std::uint32_t {  // 0: not a repeat of bytes or characters
    const Term found = term(member);
    const Node& base = nodes_[found.base];
    if (found.tail != Regular::kEmptyText) return 0;
    return base.kind == Kind::bytes ? 1 : base.kind == Kind::characters ? 2 + base.b : 0;
  };
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::uint32_t sort = sort_of(members[i]);
    if (sort == 0) continue;
    Term met = term(members[i]);
    for (std::size_t j = members.size(); --j > i;) {
      if (sort_of(members[j]) != sort) continue;
      const Term other = term(members[j]);
      met.min = std::max(met.min, other.min);
      met.max = std::min(met.max, other.max);
      const Node& a = nodes_[met.base];
      const Node& b = nodes_[other.base];
      met.base = sort == 1 ? bytes(byte_sets_[a.a] & byte_sets_[b.a])
                           : characters(code_points_[a.a] & code_points_[b.a], static_cast<Spelling>(sort - 2));
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(j));
    }
    members[i] = repeat_term(met);
    if (members[i] == Regular::kNothing) return false;
  }
  return true;
}

/// Intersects the lengths of members, and drops members that only restrict the length and are implied by others. False if the
/// intersection is empty.
bool RegularPool::meet_lengths(std::vector<Regular>& members) {
  for (const Spelling spelling : {Spelling::raw, Spelling::json_canonical, Spelling::json_any}) {
    std::uint32_t least = 0;
    std::uint32_t most = kUnlimited;
    for (const Regular member : members) {
      const Node& node = nodes_[member];
      if (node.spelling != static_cast<std::uint8_t>(spelling)) continue;
      least = std::max(least, node.least);
      most = std::min(most, node.most);
    }
    if (least > most) return false;
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool needless = is_any_text(members[i]) && std::ranges::any_of(members, [&](Regular member) {
                            return member != members[i] && is_within(member, nodes_[members[i]]);
                          });
    if (needless) members.erase(members.begin() + static_cast<std::ptrdiff_t>(i--));
  }
  return true;
}

/// If all members begin with one byte, or one character of the same spelling: removes it from each, and returns the intersection.
/// Otherwise kEmptyText.
Regular RegularPool::meet_heads(std::vector<Regular>& members) {
  const auto sort_of = [&](const Term& term) -> std::uint32_t {
    const Node& base = nodes_[term.base];
    return base.kind == Kind::bytes ? 1 : base.kind == Kind::characters ? 2 + base.b : 0;
  };
  const Term first = term(members.front());
  const std::uint32_t sort = sort_of(first);
  bool one_begins = false;  // a member begins with exactly one byte or character
  for (const Regular member : members) {
    const Term begun = term(member);
    if (sort == 0 || sort_of(begun) != sort) return Regular::kEmptyText;
    const bool one = begun.min == 1 && begun.max == 1;
    if (!one && begun.min == 0 && begun.tail != Regular::kEmptyText) return Regular::kEmptyText;
    one_begins |= one;
  }
  if (!one_begins) return Regular::kEmptyText;
  ByteSet set = ByteSet::all();
  CodePoints points = CodePoints::all();
  for (Regular& member : members) {
    Term begun = term(member);
    const Node& base = nodes_[begun.base];
    if (sort == 1) set = set & byte_sets_[base.a];
    else points = points & code_points_[base.a];
    if (begun.min > 0) --begun.min;
    if (begun.max != kUnlimited) --begun.max;
    member = repeat_term(begun);
  }
  return sort == 1 ? bytes(set) : characters(points, static_cast<Spelling>(sort - 2));
}

}  // namespace heed::grammar
