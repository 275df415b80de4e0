// The storage of expressions: hash-consed nodes with properties of their languages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// The id of an expression in a pool, which denotes a set of byte strings. Equal expressions have equal ids.
enum class Regular : std::uint32_t {
  kNothing = 0,    // the empty language
  kEmptyText = 1,  // the language of the empty text
};

/// The maximum of a repeat without an upper limit. Counts are below it.
inline constexpr std::uint32_t kUnlimited = 0xFFFF'FFFF;

struct Node {
  enum class Kind : std::uint8_t {
    nothing,
    empty_text,
    bytes,       // a: the index of a ByteSet
    characters,  // a: the index of CodePoints, b: their Spelling
    concat,      // a: the head, which is no concatenation; b: the tail
    repeat,      // a: the repeated expression, min, max
    any_of,      // members, sorted; b: 1 if members with a common head are not merged yet
    all_of,      // members, sorted
    complement,  // a
    automaton,   // a: the index of an Automaton, b: its state
  };
  enum class Liveness : std::uint8_t { unknown, alive, nothing };

  Kind kind = Kind::nothing;
  bool accepts_empty = false;
  Liveness liveness = Liveness::unknown;  // alive: has a text
  std::uint32_t a = 0, b = 0, min = 0, max = 0;
  std::uint32_t first_member = 0, member_count = 0;

  // Lengths in characters, if all texts are sequences of whole characters in one spelling; the empty text has every spelling.
  static constexpr std::uint8_t kNoSpelling = 0xFF, kEverySpelling = 0xFE;
  std::uint8_t spelling = kNoSpelling;
  bool least_is_attained = false;  // a text with `least` characters exists
  std::uint32_t least = 0, most = 0;
  /// Every prefix of a text, rounded up to whole characters, can be completed with at most this many characters. kUnlimited if
  /// unknown.
  std::uint32_t most_left = kUnlimited;

  std::uint32_t min_bytes = 0;  // no text is shorter
  std::uint16_t depth = 0;      // nesting; tails of concatenations do not count
};

/// Interns nodes.
class NodeTable {
 public:
  const Node& operator[](Regular expression) const { return nodes_[static_cast<std::uint32_t>(expression)]; }
  Node& operator[](Regular expression) { return nodes_[static_cast<std::uint32_t>(expression)]; }
  std::size_t size() const { return nodes_.size(); }
  std::span<const Regular> members(const Node& node) const {
    return std::span(members_).subspan(node.first_member, node.member_count);
  }

  struct Place {
    bool found;
    Regular expression;  // if found
    std::uint32_t hash;
  };
  /// Compares kind, a, b, min, max and members.
  Place find(const Node& node, std::span<const Regular> members) const;
  /// Adds a node that `find` has not found. `members` must not point into this table.
  Regular add(Node node, std::span<const Regular> members, const Place& place);

 private:
  void put(std::uint32_t index);
  void grow();

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> hashes_;
  std::vector<Regular> members_;
  std::vector<std::uint32_t> slots_;  // open addressing: index + 1, or 0
};

}  // namespace heed::grammar
