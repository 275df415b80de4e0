// The values of JSON Schema's keyword "format", as regular languages.
#pragma once

#include <optional>
#include <string_view>

#include "grammar/regular/pool.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// If the language of the RFCs is not supported exactly, `texts` is a subset, which is accepted, and `values` a superset, which
/// negations exclude.
struct Format {
  Regular texts;
  Regular values;
};

/// nullopt for a name that no draft defines. Not exact are: hostname (`texts` omits labels with "--" in the third place),
/// idn-hostname (ASCII only), idn-email (ASCII domains only), regex (no nested groups), relative-json-pointer (no index
/// manipulation, which only some drafts have).
///
///     if (const auto date = format(pool, "date", Spelling::json_canonical)) ... date->texts
std::optional<Format> format(RegularPool& pool, std::string_view name, Spelling spelling);

}  // namespace heed::grammar
