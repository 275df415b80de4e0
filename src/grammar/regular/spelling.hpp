// The ways to encode a character.
#pragma once

#include <cstdint>

namespace heed::grammar {

enum class Spelling : std::uint8_t {
  raw,             // UTF-8
  json_canonical,  // in a JSON string, as JSON.stringify writes it: only necessary escapes; hexadecimal digits in either case
  json_any,        // in a JSON string, in any valid way: also \/ and \uXXXX, surrogates in pairs
};

}  // namespace heed::grammar
