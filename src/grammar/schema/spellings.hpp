// Sets of scalars by their spellings. A set is closed under what one value may be spelled as, which complements need; which of
// these spellings are accepted is kept beside it. A set that is not held exactly is larger than what is accepted, so that the complement
// has no value too many.
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
  /// `any_escapes`: strings that nothing but their length restricts may be escaped where they need not be.
  Spellings(RegularPool& pool, bool any_escapes);

  Scalars none() const { return {Regular::kNothing, Regular::kNothing, true}; }
  Scalars all() const { return all_; }
  Scalars null() const { return null_; }
  Scalars boolean(bool truth) const { return truth ? true_ : false_; }
  Scalars integers() const { return integers_; }
  Scalars numbers() const { return numbers_; }
  Scalars strings() const { return strings_; }
  /// Numbers whose plain spellings are in `plain`.
  Scalars numbers(Regular plain) { return {plain, plain}; }
  /// Strings of at least `min` and at most `max` characters.
  Scalars strings(std::uint32_t min, std::optional<std::uint32_t> max);
  /// Strings whose characters in canonical spelling are in `characters`.
  Scalars strings(Regular characters);
  /// The same, where only those in `accepted` are accepted, because it is not known which of the others there are.
  Scalars part_of_strings(Regular accepted, Regular characters);
  /// Whether there are such sets.
  bool approximate() const noexcept { return approximate_; }
  /// The one that is equal to `value`, which is no array and no object.
  Scalars value(const Json& value);

  Scalars both(Scalars left, Scalars right);
  Scalars either(std::span<const Scalars> sets);
  Scalars either(Scalars left, Scalars right) { return left == right ? left : either(std::vector{left, right}); }
  Scalars complement(Scalars scalars);
  /// Those in exactly one of the sets.
  Scalars one_of(const std::vector<Scalars>& sets);
  /// Throws Refusal where that depends on what is not held exactly.
  bool empty(Scalars scalars);

  /// A string in canonical spelling, with its quotes.
  Regular canonical_string(std::string_view text);
  /// All of these.
  Regular canonical_strings() const { return strings_.values; }
  /// Whether `regular` has exactly this text.
  bool matches(Regular regular, std::string_view text);

 private:
  Regular quoted(Regular characters);
  /// The values that are certainly in the set: of strings, those that are accepted; all else is held exactly.
  Regular certain(Scalars scalars);
  /// All but `excluded`, in plain spellings, and what has no plain spelling but is of a type that `excluded` does not touch.
  Scalars except(Scalars excluded);

  RegularPool& pool_;
  Scalars null_, true_, false_, integers_, numbers_, strings_, all_;
  bool approximate_ = false;
};

}  // namespace heed::grammar
