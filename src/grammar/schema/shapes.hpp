// The normal form of a set of JSON values: scalars, and alternatives of arrays and objects, each a conjunction of demands. Elements
// and members have terms, whose normal forms are computed on demand.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/language.hpp"
#include "grammar/schema/keys.hpp"
#include "grammar/schema/terms.hpp"

namespace heed::grammar {

inline constexpr std::uint32_t kNoLimit = 0xFFFFFFFF;

/// A set of null, booleans, numbers and strings, as their spellings.
struct Scalars {
  Regular values;      // all plain spellings of the values (no exponents, no escapes but necessary ones); complements use them
  Regular texts;       // the accepted spellings: at least the canonical one of each value, unless `values` is a superset
  bool whole = false;  // `texts` has all spellings of the values

  bool operator==(const Scalars&) const = default;
};

/// At least `min` and at most `max` elements from index `from` on are in `element`.
struct Contained {
  Term element;
  std::uint32_t from = 0, min = 0, max = kNoLimit;

  bool operator==(const Contained&) const = default;
};

struct ArrayShape {
  std::vector<Term> prefix;  // the first elements
  Term rest = Term::kAny;    // all other elements
  std::uint32_t min = 0, max = kNoLimit;
  std::vector<Contained> contained;
  bool unique = false;

  bool operator==(const ArrayShape&) const = default;
};

/// The position of a key in the order of the schema.
enum class Place : std::uint8_t {
  listed,    // in the order in which "properties" lists them
  required,  // after the listed keys, in the order in which keys are required
  last,      // after all others, in any order
};

/// A key with requirements of its own.
struct Member {
  Key key;
  Term term;  // of its value, if present
  bool required = false;
  Place place = Place::last;

  bool operator==(const Member&) const = default;
};

/// A set of keys, as JSON strings in canonical spelling.
struct OtherKeys {
  Regular keys;
  Term term;  // of their values

  bool operator==(const OtherKeys&) const = default;
};

/// If `present` is present, `required` must be, too. Both are members.
struct Implied {
  Key present, required;

  bool operator==(const Implied&) const = default;
};

struct ObjectShape {
  std::vector<Member> members;   // sorted by place
  std::vector<OtherKeys> rules;  // apply to each key that is not a member
  std::vector<OtherKeys> some;   // each demands a key in `keys`, member or not, with a value in `term`
  std::vector<Implied> implied;
  std::uint32_t min = 0, max = kNoLimit;

  bool operator==(const ObjectShape&) const = default;
  /// Whether an object can become impossible to complete in other ways than by skipping a required member.
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
