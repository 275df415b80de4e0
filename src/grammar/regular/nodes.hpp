// Expressions as they are stored: each once, with what is known of its language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// An expression of a pool: a set of byte strings. Equal expressions have equal values.
enum class Regular : std::uint32_t {
  kNothing = 0,    // the empty language
  kEmptyText = 1,  // the language of the empty text
};

/// No upper limit of a repeat. Counts are below it.
inline constexpr std::uint32_t kUnlimited = 0xFFFF'FFFF;

struct Node {
  enum class Kind : std::uint8_t {
    nothing,
    empty_text,
    bytes,       // a: the index of a ByteSet
    characters,  // a: the index of CodePoints, b: their Spelling
    concat,      // a: the head, which is no concatenation; b: the tail
    repeat,      // a: the repeated expression, min, max
    any_of,      // members, sorted; b: whether those with a common head are still apart
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

  // Where all texts are sequences of whole characters of one spelling, how many characters they have; the empty text is of every
  // spelling.
  static constexpr std::uint8_t kNoSpelling = 0xFF, kEverySpelling = 0xFE;
  std::uint8_t spelling = kNoSpelling;
  bool least_is_attained = false;  // there is a text of `least` characters
  std::uint32_t least = 0, most = 0;
  /// Behind any beginning of a text, one that ends inside a character being read to that one's end, there is a rest of at most so many
  /// characters. kUnlimited where that is not known.
  std::uint32_t most_left = kUnlimited;

  std::uint32_t min_bytes = 0;  // no text is shorter
  std::uint16_t depth = 0;      // of expressions in expressions; tails of concatenations do not count
};

/// Hash-consing: one number for each different node.
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
  /// By kind, a, b, min, max and members.
  Place find(const Node& node, std::span<const Regular> members) const;
  /// Of a node that is not found. The members may not lie in this table.
  Regular add(Node node, std::span<const Regular> members, const Place& place);

 private:
  void put(std::uint32_t index);
  void grow();

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> hashes_;
  std::vector<Regular> members_;
  std::vector<std::uint32_t> slots_;  // open addressing; the number of a node plus one, 0 where free
};

}  // namespace heed::grammar
