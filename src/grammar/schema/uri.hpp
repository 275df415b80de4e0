// URI references, for $id and $ref.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace heed::grammar {

/// Resolves `reference` against `base`: RFC 3986, section 5.2. If `base` is empty, the reference stays as it is.
std::string resolve_uri(std::string_view base, std::string_view reference);

/// The parts before and after the first "#".
std::pair<std::string_view, std::string_view> split_fragment(std::string_view uri);

/// Replaces each %XX by its byte; other "%" stay.
std::string percent_decoded(std::string_view text);

}  // namespace heed::grammar
