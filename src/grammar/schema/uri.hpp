// URI references: what $id and $ref are written in.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace heed::grammar {

/// `reference` seen from `base`, by RFC 3986, section 5.2. `base` may be empty; then the reference stays as it is.
std::string resolve_uri(std::string_view base, std::string_view reference);

/// What stands before the first "#", and what stands behind it.
std::pair<std::string_view, std::string_view> split_fragment(std::string_view uri);

/// With every %XX as its byte; a "%" that begins none stays.
std::string percent_decoded(std::string_view text);

}  // namespace heed::grammar
