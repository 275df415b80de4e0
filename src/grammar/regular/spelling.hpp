// How a character is written down.
#pragma once

#include <cstdint>

namespace heed::grammar {

enum class Spelling : std::uint8_t {
  raw,             // UTF-8
  json_canonical,  // inside a JSON string as JSON.stringify writes it: escapes where there must be, hexadecimal digits of either case
  json_any,        // inside a JSON string in any way JSON has: also \/ and \uXXXX, surrogates in pairs
};

}  // namespace heed::grammar
