// The general categories of code points that word patterns distinguish (Unicode 15.1, as in llama.cpp). The version is part of the
// tokenizer: it determines how newer characters are split into words, so it must stay the version that tokens are compared with.
// Expressions have a table of their own, of a newer version (grammar/regular/properties.hpp).
#pragma once

#include <cstdint>

namespace heed::tokenizer {

/// A set of categories, one bit each, so that a class such as [\p{L}\p{M}] is a union. The order is that of unicode_runs.generated.hpp.
using Category = std::uint8_t;
inline constexpr Category kLetter = 1 << 0;       // \p{L}
inline constexpr Category kNumber = 1 << 1;       // \p{N}
inline constexpr Category kPunctuation = 1 << 2;  // \p{P}
inline constexpr Category kSymbol = 1 << 3;       // \p{S}
inline constexpr Category kMark = 1 << 4;         // \p{M}
inline constexpr Category kSpace = 1 << 5;        // \s: White_Space
inline constexpr Category kControl = 1 << 6;      // control, format, surrogate and private use
inline constexpr Category kUnassigned = 1 << 7;
inline constexpr Category kOther = kControl | kUnassigned;  // \p{C}

/// The category of any value; kUnassigned beyond U+10FFFF.
Category category(char32_t code_point) noexcept;

}  // namespace heed::tokenizer
