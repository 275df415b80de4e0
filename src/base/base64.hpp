// Base64 (RFC 4648, section 4), for bytes in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heed::base64 {

/// Encodes bytes, with padding, without line breaks.
std::string encode(std::string_view bytes);

/// nullopt if encode() cannot have written the text.
std::optional<std::string> decode(std::string_view text);

}  // namespace heed::base64
