// The spellings of a schema's numbers in texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grammar/regular/decimals.hpp"

namespace heed::grammar {

/// In the layout of JSON.stringify ("1e+21", "0.5"), but with all digits. Numbers are equal if and only if their canonical
/// spellings are.
std::string canonical_number(const Decimal& number);

inline constexpr std::int64_t kMaxZeros = 500;

/// The number without an exponent; nullopt if that takes more than `kMaxZeros` zeros.
std::optional<std::string> plain_number(const Decimal& number);

}  // namespace heed::grammar
