// The formats of JSON Schema as regular languages.
#pragma once

#include <optional>
#include <string_view>

#include "grammar/regular/pool.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

/// The texts of a format; nothing for a name that no draft defines. Some are smaller languages than the RFCs': hostname has no label
/// with -- in the third place, idn-hostname has ASCII only, and idn-email has it in the domain; regex has groups in no groups.
///
///     if (const auto date = format(pool, "date", Spelling::json_canonical)) ...
std::optional<Regular> format(RegularPool& pool, std::string_view name, Spelling spelling);

}  // namespace heed::grammar
