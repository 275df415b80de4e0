// Conversion to lower case and removal of accents (Unicode 15.1), for vocabularies without capitals and accents.
#pragma once

namespace heed::tokenizer {

/// The first code point of the lower-case form, which is the only one except for U+0130.
char32_t lower_case(char32_t code_point) noexcept;

/// The first code point of the canonical decomposition (NFD): a letter without its marks, the first consonant of a Hangul syllable,
/// the unified form of a compatibility ideograph.
char32_t base_letter(char32_t code_point) noexcept;

}  // namespace heed::tokenizer
