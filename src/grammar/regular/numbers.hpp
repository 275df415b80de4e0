// Numbers of JSON within limits, as regular languages of their spellings.
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

  bool integer = false;  // neither a fraction nor an exponent, not even a fraction of zeros
  std::optional<Limit> lower, upper;
  std::vector<Decimal> multiple_of;  // of each of these, which are above zero
};

/// The spellings of the numbers within limits: without exponent, as soon as there is a limit or multiple_of; kNothing where there is
/// none. Throws Refusal (too-large) for limits of more than a thousand digits.
///
///     number(pool, {.integer = true, .lower = {{Decimal("1")}}, .multiple_of = {Decimal("3")}})
Regular number(RegularPool& pool, const NumberLimits& limits);

}  // namespace heed::grammar
