// Regular languages over bytes, as expressions with derivatives (Brzozowski, "Derivatives of regular expressions", 1964; Antimirov,
// 1996). Automata are never built as a whole: only the states that texts reach exist, so that intersections, complements and
// repeats of a hundred thousand are cheap.
#pragma once

#include <cstddef>
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
#include "grammar/regular/interned.hpp"
#include "grammar/regular/nodes.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// `character`{min,max} `rest`: the form of a state inside a string of limited length.
struct Counted {
  Regular character;       // a set of characters
  std::uint32_t min, max;  // max may be kUnlimited
  Regular rest;
};

/// `texts` & `character`{0,max}, then `rest`: texts of limited length.
struct Limited {
  Regular texts;            // of whole characters
  Regular character;        // all characters, in the same spelling
  std::uint32_t max;        // characters
  std::uint32_t most_left;  // Node::most_left of `texts`
  Regular rest;
};

/// Owns expressions and caches their derivatives and properties. All work is charged to the budget; when it is spent, functions
/// throw Refusal (too-large), and the pool stays usable.
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
  /// Automata with equal keys are stored once.
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
  /// All other byte strings.
  Regular complement(Regular expression);
  /// min to max times; unlimited without a max. kNothing if max < min. Throws Refusal (too-large) for counts of 2^32 - 1 and more.
  Regular repeat(Regular expression, std::uint64_t min, std::optional<std::uint64_t> max);
  Regular optional(Regular expression) { return repeat(expression, 0, 1); }
  /// All byte strings.
  Regular everything() const { return kEverything; }

  bool accepts_empty(Regular expression) const { return nodes_[expression].accepts_empty; }
  /// The derivative by `byte`: kNothing if and only if no text of the language begins with it, also for intersections and
  /// complements. Cached.
  Regular derive(Regular expression, std::uint8_t byte) {
    const Row& row = rows_[static_cast<std::uint32_t>(expression)];
    if (row.classes) {
      const std::uint32_t cell = cells_[row.first_cell + row.classes->of[byte]];
      if ((cell & kExact) != 0) return static_cast<Regular>(cell & ~kExact);
    }
    return exact_derivative(expression, byte);
  }
  /// Whether a text is in the language. Cheaper than `derive`, as it does not decide whether derivatives are empty.
  bool contains(Regular expression, std::string_view text);
  /// Whether the language is empty.
  bool is_nothing(Regular expression);
  /// The classes of bytes with the same derivative.
  const ByteClasses& classes(Regular expression);
  /// The expression as Counted; nullopt if it has another form, for example inside a character.
  std::optional<Counted> counted(Regular expression) const;
  /// The expression as Limited; nullopt if it has another form, if texts may be too short, or if most_left is unknown.
  std::optional<Limited> limited(Regular expression) const;

  /// The number of expressions, including derivatives; the pool's memory is proportional to it.
  std::size_t size() const { return nodes_.size(); }
  Budget& budget() { return budget_; }

 private:
  using Kind = Node::Kind;
  using Liveness = Node::Liveness;

  /// The derivatives of an expression, one per class of bytes.
  struct Row {
    const ByteClasses* classes = nullptr;  // nullptr: no cells yet
    std::uint32_t first_cell = 0;
  };
  static constexpr std::uint32_t kUnknownCell = 0x7FFF'FFFF;
  static constexpr std::uint32_t kExact = 0x8000'0000;  // flag in a cell: the derivative was checked, and is kNothing if empty
  static constexpr Regular kEverything{2};

  /// An expression as `base`{min,max} `tail`; the base of both `a` and `a{2,5}b` is `a`.
  struct Term {
    Regular base;
    std::uint32_t min, max;
    Regular tail;
  };
  struct HashBytes {
    std::size_t operator()(const ByteSet& set) const;
  };
  struct HashPoints {
    std::size_t operator()(const CodePoints& points) const;
  };

  // pool.cpp
  Regular intern(Node node, std::span<const Regular> members = {});
  void describe(Node& node, std::span<const Regular> members) const;
  void measure(Node& node, std::span<const Regular> members) const;
  Regular prepend(Regular head, Regular tail);
  Regular repeat_unlimited(Regular expression, std::uint32_t min, std::uint32_t max);
  Regular repeat_term(const Term& term);
  Term term(Regular expression) const;
  bool is_nothing_yet(Regular expression) const { return nodes_[expression].liveness == Liveness::nothing; }
  bool is_any_text(Regular expression) const;
  bool is_within(Regular expression, const Node& lengths) const;

  // unions.cpp
  Regular together(Regular expression);
  void merge_repeats(std::vector<Term>& terms);
  void merge_characters(std::vector<Term>& terms);
  std::vector<Regular> with_common_heads(std::vector<Term>& terms);
  void absorb(std::vector<Regular>& members) const;
  Regular join(Kind kind, std::vector<Regular>& members, bool apart = false);

  // intersections.cpp
  bool meet_complements(std::vector<Regular>& members);
  bool meet_characters(std::vector<Regular>& members);
  bool meet_lengths(std::vector<Regular>& members);
  Regular meet_heads(std::vector<Regular>& members);

  // derivatives.cpp
  Regular exact_derivative(Regular expression, std::uint8_t byte);
  Regular raw_derivative(Regular expression, std::uint8_t byte);
  Regular derivative(Regular expression, std::uint8_t byte);
  Regular before(Regular begun, Regular rest);
  Regular derivative_of_concat(Regular expression, std::uint8_t byte);
  std::vector<Regular> derivatives_of_members(Regular expression, std::uint8_t byte);
  const ByteClasses* find_classes(Regular expression);
  const ByteClasses* classes_of_operands(Regular expression);
  std::uint32_t& cell(Regular expression, std::uint8_t byte);
  Regular expansion(Regular characters);

  // emptiness.cpp
  bool has_text(Regular expression);
  bool search(Regular expression);
  Regular without_nothing(Regular expression);

  Budget& budget_;
  NodeTable nodes_;
  std::vector<Row> rows_;                    // of each expression
  std::vector<std::uint32_t> cells_;         // of all rows, concatenated
  std::vector<const ByteClasses*> classes_;  // of each expression; nullptr if not known yet
  std::vector<Regular> expansions_;          // of code points in each spelling; kNothing if not known yet
  ByteClassTable class_table_;
  Interned<ByteSet, HashBytes> byte_sets_;
  Interned<CodePoints, HashPoints> code_points_;
  std::vector<std::unique_ptr<Automaton>> automata_;
};

}  // namespace heed::grammar
