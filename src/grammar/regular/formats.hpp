// The formats of JSON Schema as regular languages.
#pragma once

#include <optional>
#include <string_view>

#include "grammar/regular/pool.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// A format. Where the RFCs' language is not held exactly, `texts` is a part of it, and `values` has all of it, and more: what is to have
/// another form must not be of these.
struct Format {
  Regular texts;
  Regular values;
};

/// The format of this name; nothing for a name that no draft defines. Those that are not exact: `texts` of hostname has no label with --
/// in the third place, of idn-hostname ASCII only, of idn-email that in the domain; of regex no groups in groups; of
/// relative-json-pointer no index that is moved, which only some drafts have.
///
///     if (const auto date = format(pool, "date", Spelling::json_canonical)) ... date->texts
std::optional<Format> format(RegularPool& pool, std::string_view name, Spelling spelling);

}  // namespace heed::grammar
