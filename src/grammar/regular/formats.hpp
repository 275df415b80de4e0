// The values of JSON Schema's keyword "format", as regular languages.
#pragma once

#include <optional>
#include <string_view>

#include "grammar/regular/pool.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// The texts that are accepted (`texts`) and those that a negation excludes (`values`). Both are the language of the RFCs if it is
/// supported exactly; otherwise `texts` is a subset of it and `values` a superset.
struct Format {
  Regular texts;
  Regular values;
};

/// The format of this name; nullopt if no draft defines it. Not exact: hostname (`texts` omits labels with "--" in the third
/// place), idn-hostname (ASCII only), idn-email (ASCII domains only), regex (no nested groups), relative-json-pointer (no index
/// manipulation, which only some drafts have).
///
///     if (const auto date = format(pool, "date", Spelling::json_canonical)) ... date->texts
std::optional<Format> format(RegularPool& pool, std::string_view name, Spelling spelling);

}  // namespace heed::grammar
