// What becomes of letters where a vocabulary knows neither capitals nor accents (Unicode 15.1).
#pragma once

namespace heed::tokenizer {

/// The first code point of the lower case, which is all of it except for U+0130.
char32_t lower_case(char32_t code_point) noexcept;

/// The first code point of the canonical decomposition (NFD): the letter without what is put on it; of a
/// Hangul syllable its first consonant, of a compatibility ideograph the unified one.
char32_t base_letter(char32_t code_point) noexcept;

}  // namespace heed::tokenizer
