// Regular languages over bytes, as expressions with derivatives (Brzozowski, "Derivatives of regular expressions", 1964; Antimirov,
// 1996): the automaton of an expression is never built, only walked, so intersections, complements and repeats of a hundred thousand
// cost what a text makes of them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/budget.hpp"
#include "grammar/regular/automaton.hpp"
#include "grammar/regular/byte_classes.hpp"
#include "grammar/regular/byte_set.hpp"
#include "grammar/regular/code_points.hpp"
#include "grammar/regular/nodes.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// What a state inside a string of limited length is: `character` at least `min` and at most `max` times, then `rest`.
struct Counted {
  Regular character;       // one of a set
  std::uint32_t min, max;  // max: kUnlimited where there is no limit
  Regular rest;
};

/// Owns expressions and what has been found out about them. All work is charged to the budget: where it is spent, functions throw
/// Refusal (too-large) and the pool stays usable.
///
///     Budget budget;
///     RegularPool pool(budget);
///     Regular state = pool.concat(pool.repeat(pool.bytes(ByteSet::range('a', 'z')), 1, 8), pool.literal("!"));
///     for (const char byte : text) state = pool.derive(state, static_cast<std::uint8_t>(byte));
///     return pool.accepts_empty(state);
class RegularPool {
 public:
  explicit RegularPool(Budget& budget);
  RegularPool(const RegularPool&) = delete;
  RegularPool& operator=(const RegularPool&) = delete;

  /// One byte of a set.
  Regular bytes(const ByteSet& set);
  Regular literal(std::string_view bytes);
  /// One character of a set.
  Regular characters(const CodePoints& points, Spelling spelling);
  /// Equal automata are kept once.
  Regular automaton(std::unique_ptr<Automaton> automaton);

  Regular concat(Regular head, Regular tail);
  Regular concat(std::span<const Regular> parts);
  Regular concat(std::initializer_list<Regular> parts) { return concat(std::span(parts.begin(), parts.size())); }
  Regular any_of(std::span<const Regular> members);
  Regular any_of(std::initializer_list<Regular> members) { return any_of(std::span(members.begin(), members.size())); }
  Regular any_of(Regular a, Regular b) { return any_of({a, b}); }
  Regular all_of(std::span<const Regular> members);
  Regular all_of(std::initializer_list<Regular> members) { return all_of(std::span(members.begin(), members.size())); }
  Regular all_of(Regular a, Regular b) { return all_of({a, b}); }
  /// Every byte string but these.
  Regular complement(Regular expression);
  /// min to max times; without a max, any number. max below min is nothing. Throws Refusal (too-large) for counts of 2^32 - 1 and more.
  Regular repeat(Regular expression, std::uint64_t min, std::optional<std::uint64_t> max);
  Regular optional(Regular expression) { return repeat(expression, 0, 1); }
  /// Every byte string.
  Regular everything() const { return kEverything; }

  bool accepts_empty(Regular expression) const { return nodes_[expression].accepts_empty; }
  /// What may follow `byte`: kNothing if and only if no text of the language begins with it. Exact, also for intersections and
  /// complements. A look-up after the first time.
  Regular derive(Regular expression, std::uint8_t byte) {
    const Row& row = rows_[static_cast<std::uint32_t>(expression)];
    if (row.classes) {
      const std::uint32_t cell = cells_[row.first_cell + row.classes->of[byte]];
      if ((cell & kSettled) != 0) return static_cast<Regular>(cell & ~kSettled);
    }
    return derive_anew(expression, byte);
  }
  /// Whether there is no text at all.
  bool is_nothing(Regular expression);
  /// Bytes of one class have the same derivative.
  const ByteClasses& classes(Regular expression);
  /// Whether the expression is a counted class of characters and what follows; nothing if not, or inside a character.
  std::optional<Counted> counted(Regular expression) const;

  /// How many expressions there are, all derivatives included: what the pool's size depends on.
  std::size_t size() const { return nodes_.size(); }
  Budget& budget() { return budget_; }

 private:
  using Kind = Node::Kind;
  using Liveness = Node::Liveness;

  /// The derivatives of an expression, one a class of bytes.
  struct Row {
    const ByteClasses* classes = nullptr;  // not yet known, or no cells yet
    std::uint32_t first_cell = 0;
  };
  static constexpr std::uint32_t kUnknownCell = 0x7FFF'FFFF;
  static constexpr std::uint32_t kSettled = 0x8000'0000;  // of a cell: what is surely not nothing, or is kNothing
  static constexpr Regular kEverything{2};

  /// A part of a union or an intersection: the head and the tail of a concatenation; other expressions are heads before kEmptyText.
  struct Term {
    Regular head, tail;
  };

  // pool.cpp
  Regular intern(Node node, std::span<const Regular> members = {});
  void describe(Node& node, std::span<const Regular> members) const;
  void describe_length(Node& node, std::span<const Regular> members) const;

  // unions.cpp, intersections.cpp
  Term term(Regular expression) const;
  Regular join(std::span<Regular> sorted_members, bool apart);
  void merge_heads(std::vector<Term>& terms);
  bool merge(Term& into, const Term& from);
  Regular together(Regular expression);
  bool is_counted_character(Regular expression, std::uint8_t spelling) const;
  bool meet_lengths(std::vector<Regular>& members);
  bool meet_first_characters(std::vector<Regular>& members, std::vector<Regular>& heads);

  // derivatives.cpp
  Regular derive_anew(Regular expression, std::uint8_t byte);
  Regular raw_derivative(Regular expression, std::uint8_t byte);
  Regular derivative_of(Regular expression, std::uint8_t byte);
  Regular derivative_of_concat(Regular expression, std::uint8_t byte);
  const ByteClasses* find_classes(Regular expression);
  Row& row(Regular expression);
  Regular expansion(Regular expression);

  // emptiness.cpp
  bool has_text(Regular expression);
  bool search(Regular expression);
  Regular without_nothing(Regular expression);

  Budget& budget_;
  NodeTable nodes_;
  std::vector<Row> rows_;              // of each expression
  std::vector<std::uint32_t> cells_;   // of all rows
  std::vector<const ByteClasses*> classes_;  // of each expression, or null
  std::vector<Regular> expansions_;    // of each set of code points and spelling
  ByteClassTable class_table_;
  std::vector<ByteSet> byte_sets_;
  std::vector<CodePoints> code_points_;
  std::vector<std::unique_ptr<Automaton>> automata_;
};

}  // namespace heed::grammar
