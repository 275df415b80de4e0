// The spellings of JSON numbers within limits, as regular languages.
#pragma once

#include <optional>
#include <vector>

#include "grammar/regular/decimals.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

struct NumberLimits {
  struct Limit {
    Decimal value;
    bool exclusive = false;
  };

  bool integer = false;  // spelled without fraction and exponent; not even ".0"
  std::optional<Limit> lower, upper;
  std::vector<Decimal> multiple_of;  // each above zero; the number is a multiple of all
};

/// The spellings of the numbers within limits; without exponents if there is a limit or multiple_of. kNothing if there are no such
/// numbers. Throws Refusal (too-large) for limits of more than a thousand digits.
///
///     number(pool, {.integer = true, .lower = {{Decimal("1")}}, .multiple_of = {Decimal("3")}})
Regular number(RegularPool& pool, const NumberLimits& limits);

}  // namespace heed::grammar
