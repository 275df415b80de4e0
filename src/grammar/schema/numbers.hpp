// Spellings of numbers: which are the same number, and which one JSON.stringify writes.
#pragma once

#include <string>
#include <string_view>

namespace heed::grammar {

/// The layout of JSON.stringify with all digits of a JSON number: "1e+21", "0.5", "0" for -0. Equal numbers, and only they, have
/// equal canonical spellings.
std::string canonical_number(std::string_view spelling);

/// A canonical spelling without its exponent; empty where that takes more than 500 digits.
std::string plain_number(std::string_view canonical);

}  // namespace heed::grammar
