// Unions in normal form, so that an expression has few derivatives: members are sorted and unique; members with a common tail or a
// common head are merged.
#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "grammar/regular/pool.hpp"

namespace heed::grammar {

/// Interns a union or intersection of members that are simplified already. `apart`: Node::b of any_of.
Regular RegularPool::join(Kind kind, std::vector<Regular>& members, bool apart) {
  std::ranges::sort(members);
  members.erase(std::ranges::unique(members).begin(), members.end());
  if (members.size() == 1) return members.front();
  if (kind == Kind::any_of) {
    if (members.empty()) return Regular::kNothing;
    if (members.size() == 2 && members.front() == Regular::kEmptyText && !apart) return repeat_unlimited(members.back(), 0, 1);
  }
  return intern({.kind = kind, .b = apart ? 1U : 0U}, members);
}

/// Normalizes a union whose common heads are not merged yet. This is delayed until the head before the union is consumed: otherwise
/// a long list of words would be merged letter by letter at once.
Regular RegularPool::together(Regular expression) {
  const Node& node = nodes_[expression];
  if (node.kind != Kind::any_of || node.b == 0) return expression;
  const auto members = nodes_.members(node);
  return any_of(std::vector<Regular>(members.begin(), members.end()));
}

Regular RegularPool::any_of(std::span<const Regular> parts) {
  std::vector<Regular> members;
  for (const Regular part : parts) {
    if (part == kEverything) return kEverything;
    const Node& node = nodes_[part];
    if (node.kind == Kind::any_of) {
      const auto inner = nodes_.members(node);
      members.insert(members.end(), inner.begin(), inner.end());
    } else {
      members.push_back(part);
    }
  }
  budget_.spend(1 + members.size() * std::bit_width(members.size()));  // for several sorts
  std::ranges::sort(members);
  members.erase(std::ranges::unique(members).begin(), members.end());

  bool has_empty = false;
  std::vector<Term> terms;
  for (const Regular member : members) {
    if (member == Regular::kEmptyText) has_empty = true;
    else if (!is_nothing_yet(member)) terms.push_back(term(member));
  }
  merge_repeats(terms);
  merge_characters(terms);
  if (has_empty && std::ranges::none_of(terms, [&](const Term& term) {
        return (term.min == 0 || nodes_[term.base].accepts_empty) && nodes_[term.tail].accepts_empty;
      })) {
    const auto begun = std::ranges::find_if(terms, [](const Term& term) {
      return term.tail == Regular::kEmptyText && term.min == 1 && term.max > 1;
    });
    if (begun != terms.end()) begun->min = 0;
    else terms.push_back({Regular::kEmptyText, 1, 1, Regular::kEmptyText});
  }
  members = with_common_heads(terms);
  // Merging may have turned members into unions, or emptied them.
  if (std::ranges::any_of(members, [&](Regular member) { return nodes_[member].kind == Kind::any_of; })) return any_of(members);
  std::erase(members, Regular::kNothing);
  absorb(members);
  return join(Kind::any_of, members);
}

/// a{1,3}b | a{2,7}b = a{1,7}b.
void RegularPool::merge_repeats(std::vector<Term>& terms) {
  std::ranges::sort(terms, {}, [](const Term& term) { return std::tuple(term.tail, term.base, term.min, term.max); });
  if (terms.empty()) return;
  std::size_t kept = 0;
  for (std::size_t i = 1; i < terms.size(); ++i) {
    Term& last = terms[kept];
    const Term& next = terms[i];
    if (next.tail == last.tail && next.base == last.base && (last.max == kUnlimited || next.min <= last.max + 1)) {
      last.max = std::max(last.max, next.max);
    } else {
      terms[++kept] = next;
    }
  }
  terms.resize(kept + 1);
}

/// ac | bc = [ab]c.
void RegularPool::merge_characters(std::vector<Term>& terms) {
  const auto group = [&](const Term& term) -> std::uint32_t {
    const Node& node = nodes_[term.base];
    if (term.min != 1 || term.max != 1) return 0;
    return node.kind == Kind::bytes ? 1 : node.kind == Kind::characters ? 2 + node.b : 0;
  };
  std::ranges::sort(terms, {}, [&](const Term& term) { return std::tuple(term.tail, group(term), term.base, term.min); });
  std::size_t kept = 0;
  for (std::size_t first = 0; first < terms.size();) {
    Term merged = terms[first];
    const std::uint32_t kind = group(merged);
    std::size_t end = first + 1;
    if (kind != 0)
      while (end < terms.size() && terms[end].tail == merged.tail && group(terms[end]) == kind) ++end;
    if (end - first > 1) {
      if (kind == 1) {
        ByteSet set;
        for (std::size_t i = first; i < end; ++i) set = set | byte_sets_[nodes_[terms[i].base].a];
        merged.base = bytes(set);
      } else {
        std::vector<CodePoints::Range> ranges;
        for (std::size_t i = first; i < end; ++i) {
          const auto more = code_points_[nodes_[terms[i].base].a].ranges();
          ranges.insert(ranges.end(), more.begin(), more.end());
        }
        budget_.spend(ranges.size());
        merged.base = characters(CodePoints(std::move(ranges)), static_cast<Spelling>(kind - 2));
      }
    }
    terms[kept++] = merged;
    first = end;
  }
  terms.resize(kept);
}

/// ab | ac = a(b|c).
std::vector<Regular> RegularPool::with_common_heads(std::vector<Term>& terms) {
  std::ranges::sort(terms, {}, [](const Term& term) { return std::tuple(term.base, term.min, term.max, term.tail); });
  std::vector<Regular> members;
  for (std::size_t first = 0; first < terms.size();) {
    const Term& head = terms[first];
    std::size_t end = first;
    std::vector<Regular> tails;
    for (; end < terms.size() && terms[end].base == head.base && terms[end].min == head.min && terms[end].max == head.max; ++end) {
      const Node& tail = nodes_[terms[end].tail];
      const auto inner = nodes_.members(tail);
      if (tail.kind == Kind::any_of) tails.insert(tails.end(), inner.begin(), inner.end());
      else tails.push_back(terms[end].tail);
    }
    const Regular tail = end - first == 1 ? head.tail : join(Kind::any_of, tails, true);
    members.push_back(repeat_term({head.base, head.min, head.max, tail}));
    first = end;
  }
  return members;
}

/// Drops members that are subsets of an any_character{min,max} among the members.
void RegularPool::absorb(std::vector<Regular>& members) const {
  std::vector<Regular> absorbing;
  for (const Regular member : members)
    if (is_any_text(member)) absorbing.push_back(member);
  budget_.spend(absorbing.size() * members.size() / 4);
  for (const Regular absorber : absorbing)
    std::erase_if(members, [&](Regular member) { return member != absorber && is_within(member, nodes_[absorber]); });
}

/// Whether all texts have the spelling and lengths of `lengths`.
bool RegularPool::is_within(Regular expression, const Node& lengths) const {
  const Node& node = nodes_[expression];
  const bool spelled = node.spelling == lengths.spelling || node.spelling == Node::kEverySpelling;
  return spelled && node.least >= lengths.least && node.most <= lengths.most;
}

}  // namespace heed::grammar
