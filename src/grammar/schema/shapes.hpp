// The normal form of a set of JSON values: scalars, and alternatives of arrays and of objects, each a conjunction of demands. What is
// demanded of elements and members stays a term, which is worked out when it is needed.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/language.hpp"
#include "grammar/schema/keys.hpp"
#include "grammar/schema/terms.hpp"

namespace heed::grammar {

inline constexpr std::uint32_t kNoLimit = 0xFFFFFFFF;

/// Null, booleans, numbers and strings, by their spellings.
struct Scalars {
  Regular values;      // all plain spellings (Spellings::plain) of all values of the set: what complements are taken of
  Regular texts;       // the spellings that are accepted; at least the canonical one of each value, where `values` is exact
  bool whole = false;  // whether they are all spellings of these values

  bool operator==(const Scalars&) const = default;
};

/// At least `min` and at most `max` of the elements from index `from` on are in `element`.
struct Contained {
  Term element;
  std::uint32_t from = 0, min = 0, max = kNoLimit;

  bool operator==(const Contained&) const = default;
};

struct ArrayShape {
  std::vector<Term> prefix;  // of the first elements
  Term rest = Term::kAny;    // of all others
  std::uint32_t min = 0, max = kNoLimit;
  std::vector<Contained> contained;
  bool unique = false;

  bool operator==(const ArrayShape&) const = default;
};

/// Where a key comes in the order of the schema.
enum class Place : std::uint8_t {
  listed,    // in the order list
  required,  // after these, in the order in which the keys are required
  last,      // anywhere behind them
};

/// A key that is treated by itself.
struct Member {
  Key key;
  Term term;  // of its value, if it is there
  bool required = false;
  Place place = Place::last;

  bool operator==(const Member&) const = default;
};

/// Keys that are no Member of the shape, by JSON strings in canonical spelling.
struct OtherKeys {
  Regular keys;
  Term term;  // of the values of these keys, whether they are there or (SomeKey) of one that must be

  bool operator==(const OtherKeys&) const = default;
};

/// Where `present` is, `required` must be. Both are members.
struct Implied {
  Key present, required;

  bool operator==(const Implied&) const = default;
};

struct ObjectShape {
  std::vector<Member> members;   // by their places
  std::vector<OtherKeys> rules;  // hold for every key that is no member
  std::vector<OtherKeys> some;   // each demands one key of `keys`, member or not, with a value in `term`
  std::vector<Implied> implied;
  std::uint32_t min = 0, max = kNoLimit;

  bool operator==(const ObjectShape&) const = default;
  /// Whether a choice of members can be wrong later on, other than by passing one that is required.
  bool counts() const { return min > 0 || max != kNoLimit || !some.empty() || !implied.empty(); }
};

enum class ArrayId : std::uint32_t { kAny = 0 };
enum class ObjectId : std::uint32_t { kAny = 0 };

struct Normal {
  Scalars scalars;
  std::vector<ArrayId> arrays;
  std::vector<ObjectId> objects;

  bool operator==(const Normal&) const = default;
};

}  // namespace heed::grammar
