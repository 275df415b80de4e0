// Sets of scalars as spellings. `values` is closed under alternative spellings of a value, as complements need; the accepted
// spellings are separate (`texts`). If a set is approximate, `values` is a superset, so that its complement has no wrong value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/regular/pool.hpp"
#include "grammar/schema/json.hpp"
#include "grammar/schema/shapes.hpp"

namespace heed::grammar {

class Spellings {
 public:
  /// `any_escapes`: SchemaOptions::any_escapes.
  Spellings(RegularPool& pool, bool any_escapes);

  Scalars none() const { return {Regular::kNothing, Regular::kNothing, true}; }
  Scalars all() const { return all_; }
  Scalars null() const { return null_; }
  Scalars boolean(bool truth) const { return truth ? true_ : false_; }
  Scalars integers() const { return integers_; }
  Scalars numbers() const { return numbers_; }
  Scalars strings() const { return strings_; }
  /// Numbers whose plain (exponent-free) spellings are in `plain`.
  Scalars numbers(Regular plain) { return {plain, plain}; }
  /// Strings of at least `min` and at most `max` characters.
  Scalars strings(std::uint32_t min, std::optional<std::uint32_t> max);
  /// Strings whose characters in canonical spelling are in `characters`.
  Scalars strings(Regular characters);
  /// As strings(), for an approximate set: only those in `accepted` are accepted, because the others may be invalid.
  Scalars part_of_strings(Regular accepted, Regular characters);
  /// Whether part_of_strings was called.
  bool approximate() const noexcept { return approximate_; }
  /// The set of one value, which must be a scalar.
  Scalars value(const Json& value);

  Scalars both(Scalars left, Scalars right);
  Scalars either(std::span<const Scalars> sets);
  Scalars either(Scalars left, Scalars right) { return left == right ? left : either(std::vector{left, right}); }
  Scalars complement(Scalars scalars);
  /// The values in exactly one of the sets.
  Scalars one_of(const std::vector<Scalars>& sets);
  /// Whether no text is accepted. Throws Refusal if that is unknown because a set is approximate.
  bool empty(Scalars scalars);

  /// A string in canonical spelling, with its quotes.
  Regular canonical_string(std::string_view text);
  /// All strings in canonical spelling.
  Regular canonical_strings() const { return strings_.values; }
  /// Whether `text` is in `regular`.
  bool matches(Regular regular, std::string_view text);

 private:
  Regular quoted(Regular characters);
  /// The values that are surely in the set: of strings, only the accepted ones; all other values are exact.
  Regular certain(Scalars scalars);
  /// The complement of `excluded`: plain spellings, and all spellings of types that `excluded` does not touch.
  Scalars except(Scalars excluded);

  RegularPool& pool_;
  Scalars null_, true_, false_, integers_, numbers_, strings_, all_;
  bool approximate_ = false;
};

}  // namespace heed::grammar
