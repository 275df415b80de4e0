#include "grammar/regular/regex.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "grammar/refusal.hpp"
#include "grammar/regular/characters.hpp"
#include "grammar/regular/regex_tree.hpp"

namespace heed::grammar {
namespace {

using Kind = RegexTree::Kind;
using Part = RegexTree::Part;

/// The languages that may follow a place in a text, for each thing that may precede it: the start of the text, a word character or
/// another character. Anchors, word boundaries and lookaheads restrict them, so expressions are translated from end to beginning.
struct Rest {
  Regular at_start, after_word, after_other;

  bool same() const { return at_start == after_word && after_word == after_other; }
};

/// The matches of a part with anchors, indexed by [begins at the start of the text][ends at its end].
struct Spans {
  std::array<std::array<Regular, 2>, 2> some{};  // matches of at least one character
  std::array<std::array<bool, 2>, 2> empty{};

  static constexpr std::array<std::array<int, 2>, 4> kPlaces = {{{0, 0}, {0, 1}, {1, 0}, {1, 1}}};
};

class RegexLanguage {
 public:
  RegexLanguage(RegularPool& pool, const RegexTree& tree, Spelling spelling)
      : pool_(pool), tree_(tree), spelling_(spelling), any_text_(pool.repeat(any_character(pool, spelling), 0, std::nullopt)) {}

  Regular whole() { return before(tree_.root, everywhere(Regular::kEmptyText)).at_start; }

  Regular search() {
    const Rest found = before(tree_.root, everywhere(any_text_));
    if (found.same()) return pool_.concat(any_text_, found.at_start);
    const Regular later = some_before(pool_.repeat(any_character(pool_, spelling_), 1, std::nullopt), found);
    return pool_.any_of(found.at_start, later);
  }

 private:
  static Rest everywhere(Regular rest) { return {rest, rest, rest}; }

  template <class Change>
  static Rest each(const Rest& rest, Change change) {
    if (rest.same()) return everywhere(change(rest.at_start));
    return {change(rest.at_start), change(rest.after_word), change(rest.after_other)};
  }

  Regular only_empty(Regular language) const { return pool_.accepts_empty(language) ? Regular::kEmptyText : Regular::kNothing; }
  Regular without_empty(Regular language) { return pool_.all_of(language, pool_.complement(Regular::kEmptyText)); }
  Regular words(bool inside) {
    const CodePoints points = word_characters();
    return pool_.characters(inside ? points : ~points, spelling_);
  }

  /// Translates a part without anchors, boundaries and lookaheads.
  Regular plain(std::uint32_t index) {
    const Part& part = tree_.parts[index];
    std::vector<Regular> parts;
    parts.reserve(part.parts.size());
    for (const std::uint32_t inner : part.parts) parts.push_back(plain(inner));
    switch (part.kind) {
      case Kind::sequence: return pool_.concat(parts);
      case Kind::alternatives: return pool_.any_of(parts);
      case Kind::repeat: return repeat(parts.front(), part.min, part.max);
      default: return pool_.characters(part.points, spelling_);
    }
  }

  Regular repeat(Regular repeated, std::uint32_t min, std::uint32_t max) {
    return pool_.repeat(repeated, min, max == kUnlimited ? std::nullopt : std::optional<std::uint64_t>(max));
  }

  /// `some`, then `rest`: after_word or after_other, depending on the last character of `some`. No text of `some` may be empty.
  Regular some_before(Regular some, const Rest& rest) {
    if (rest.after_word == rest.after_other) return pool_.concat(some, rest.after_word);
    const auto ending = [&](bool in_word, Regular after) {
      return pool_.concat(pool_.all_of(some, pool_.concat(any_text_, words(in_word))), after);
    };
    return pool_.any_of(ending(true, rest.after_word), ending(false, rest.after_other));
  }

  Rest plain_before(Regular language, const Rest& rest) {
    if (rest.same()) return everywhere(pool_.concat(language, rest.at_start));
    if (!pool_.accepts_empty(language)) return everywhere(some_before(language, rest));
    const Regular later = some_before(without_empty(language), rest);
    return each(rest, [&](Regular at_once) { return pool_.any_of(later, at_once); });
  }

  Rest before(std::uint32_t index, const Rest& rest) {
    const Part& part = tree_.parts[index];
    if (!part.anchored && !part.looks) return plain_before(plain(index), rest);
    switch (part.kind) {
      case Kind::sequence: {
        Rest found = rest;
        for (std::size_t i = part.parts.size(); i-- > 0;) found = before(part.parts[i], found);
        return found;
      }
      case Kind::alternatives: {
        std::vector<Regular> at_start;
        std::vector<Regular> after_word;
        std::vector<Regular> after_other;
        for (const std::uint32_t inner : part.parts) {
          const Rest found = before(inner, rest);
          at_start.push_back(found.at_start);
          after_word.push_back(found.after_word);
          after_other.push_back(found.after_other);
        }
        return {pool_.any_of(at_start), pool_.any_of(after_word), pool_.any_of(after_other)};
      }
      case Kind::repeat: return repeat_before(part, rest);
      case Kind::start: return {rest.at_start, Regular::kNothing, Regular::kNothing};
      case Kind::end: return each(rest, [&](Regular language) { return only_empty(language); });
      case Kind::boundary: return boundary_before(true, rest);
      case Kind::no_boundary: return boundary_before(false, rest);
      case Kind::lookahead:
      case Kind::no_lookahead: {
        const Rest seen = before(part.parts.front(), everywhere(any_text_));
        const auto look = [&](Regular language, Regular ahead) {
          return pool_.all_of(language, part.kind == Kind::lookahead ? ahead : pool_.complement(ahead));
        };
        return {look(rest.at_start, seen.at_start), look(rest.after_word, seen.after_word),
                look(rest.after_other, seen.after_other)};
      }
      case Kind::character: break;
    }
    return plain_before(plain(index), rest);
  }

  Rest boundary_before(bool wanted, const Rest& rest) {
    const Regular word_ahead = pool_.concat(words(true), any_text_);
    const Regular none_ahead = pool_.optional(pool_.concat(words(false), any_text_));
    const auto after = [&](Regular language, bool word_before) {
      return pool_.all_of(language, word_before == wanted ? none_ahead : word_ahead);
    };
    return {after(rest.at_start, false), after(rest.after_word, true), after(rest.after_other, false)};
  }

  Rest repeat_before(const Part& part, const Rest& rest) {
    if (part.max == 1) {
      Rest found = before(part.parts.front(), rest);
      if (part.min == 0)
        found = {pool_.any_of(found.at_start, rest.at_start), pool_.any_of(found.after_word, rest.after_word),
                 pool_.any_of(found.after_other, rest.after_other)};
      return found;
    }
    if (part.looks) refuse_look(part.parts.front());
    const Spans spans = repeated_spans(part);
    const auto limited = [&](int start, Regular at_once) {
      std::vector<Regular> ways;
      const auto& some = spans.some[start];
      if (some[0] == some[1]) {
        ways.push_back(some_before(some[0], rest));
      } else {
        ways.push_back(some_before(some[0], each(rest, [&](Regular language) { return without_empty(language); })));
        ways.push_back(some_before(some[1], each(rest, [&](Regular language) { return only_empty(language); })));
      }
      const auto& empty = spans.empty[start];
      if (empty[0]) ways.push_back(empty[1] ? at_once : without_empty(at_once));
      else if (empty[1]) ways.push_back(only_empty(at_once));
      return pool_.any_of(ways);
    };
    return {limited(1, rest.at_start), limited(0, rest.after_word), limited(0, rest.after_other)};
  }

  [[noreturn]] void refuse_look(std::uint32_t index) const {
    const Part& part = tree_.parts[index];
    for (const std::uint32_t inner : part.parts)
      if (tree_.parts[inner].looks && part.kind < Kind::boundary) refuse_look(inner);
    const char* keyword = part.kind == Kind::boundary      ? "\\b"
                          : part.kind == Kind::no_boundary ? "\\B"
                          : part.kind == Kind::lookahead   ? "(?="
                                                           : "(?!";
    throw Refusal{"unsupported", keyword, std::to_string(part.offset), std::string(keyword) + " is not supported inside a repeat"};
  }

  Spans spans(std::uint32_t index) {
    const Part& part = tree_.parts[index];
    Spans found;
    if (!part.anchored) {
      const Regular language = plain(index);
      const bool empty = pool_.accepts_empty(language);
      const Regular some = empty ? without_empty(language) : language;
      found.some = {{{some, some}, {some, some}}};
      found.empty = {{{empty, empty}, {empty, empty}}};
      return found;
    }
    switch (part.kind) {
      case Kind::start: found.empty = {{{false, false}, {true, true}}}; break;
      case Kind::end: found.empty = {{{false, true}, {false, true}}}; break;
      case Kind::sequence:
        found.empty = {{{true, true}, {true, true}}};
        for (const std::uint32_t inner : part.parts) found = followed(found, spans(inner));
        break;
      case Kind::alternatives:
        for (const std::uint32_t inner : part.parts) {
          const Spans other = spans(inner);
          for (const auto [start, end] : Spans::kPlaces) {
            found.some[start][end] = pool_.any_of(found.some[start][end], other.some[start][end]);
            found.empty[start][end] |= other.empty[start][end];
          }
        }
        break;
      default: return repeated_spans(part);
    }
    return found;
  }

  /// The concatenation of two parts. Between two non-empty matches, the text neither starts nor ends.
  Spans followed(const Spans& first, const Spans& second) {
    Spans both;
    for (const auto [start, end] : Spans::kPlaces) {
      std::vector<Regular> ways = {pool_.concat(first.some[start][0], second.some[0][end])};
      if (first.empty[start][0]) ways.push_back(second.some[start][end]);
      if (second.empty[0][end]) ways.push_back(first.some[start][end]);
      both.some[start][end] = pool_.any_of(ways);
      both.empty[start][end] = first.empty[start][end] && second.empty[start][end];
    }
    return both;
  }

  Spans repeated_spans(const Part& part) {
    const Spans one = spans(part.parts.front());
    Spans all;
    for (const auto [start, end] : Spans::kPlaces) {
      all.empty[start][end] = part.min == 0 || one.empty[start][end];
      // Empty matches before or after the others count as iterations, too.
      const bool padded = one.empty[start][0] || one.empty[0][end];
      const std::uint32_t min = padded ? 1 : std::max(part.min, 1U);
      std::vector<Regular> ways;
      if (min == 1) ways.push_back(one.some[start][end]);
      if (part.max >= 2) {
        const std::uint32_t max_between = part.max == kUnlimited ? kUnlimited : part.max - 2;
        ways.push_back(
            pool_.concat({one.some[start][0], repeat(one.some[0][0], std::max(min, 2U) - 2, max_between), one.some[0][end]}));
      }
      all.some[start][end] = pool_.any_of(ways);
    }
    return all;
  }

  RegularPool& pool_;
  const RegexTree& tree_;
  Spelling spelling_;
  Regular any_text_;
};

}  // namespace

Regular parse_regex(RegularPool& pool, std::string_view pattern, Spelling spelling, Anchoring anchoring) {
  const RegexTree tree = parse_regex_tree(pattern, pool.budget());
  RegexLanguage language(pool, tree, spelling);
  const Regular result = anchoring == Anchoring::whole ? language.whole() : language.search();
  return pool.is_nothing(result) ? Regular::kNothing : result;
}

}  // namespace heed::grammar
