// How a number of a schema is spelled in a text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grammar/regular/decimals.hpp"

namespace heed::grammar {

/// As JSON.stringify lays it out, with all digits: "1e+21", "0.5". Equal numbers, and only they, have equal canonical spellings.
std::string canonical_number(const Decimal& number);

inline constexpr std::int64_t kMaxZeros = 500;

/// Without an exponent, unless that takes more than `kMaxZeros` zeros.
std::optional<std::string> plain_number(const Decimal& number);

}  // namespace heed::grammar
