// The formats of JSON Schema as regular languages.
#pragma once

#include <optional>
#include <string_view>

#include "grammar/regular/pool.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// The texts of a format; nothing for a name that no draft defines. Throws Refusal (unsupported, keyword "format") for those that are
/// not held exactly: iri, iri-reference, idn-email, idn-hostname, regex.
///
///     if (const auto date = format(pool, "date", Spelling::json_canonical)) ...
std::optional<Regular> format(RegularPool& pool, std::string_view name, Spelling spelling);

}  // namespace heed::grammar
