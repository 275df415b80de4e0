// The notations of a constraint, and the language of each.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "grammar/schema/schema.hpp"

namespace heed::grammar {

enum class Notation : std::uint8_t { schema, regex, gbnf };

/// Compiles `text`; `options` apply to schemas only. Throws Refusal as the function of each notation does:
/// schema/schema.hpp, regular_language.hpp, gbnf/gbnf.hpp.
///
///     auto [language, ignored] = make_language(Notation::regex, "[a-z]+");
SchemaLanguage make_language(Notation notation, std::string_view text, const SchemaOptions& options = {},
                             std::shared_ptr<Workspace> workspace = own_workspace());

}  // namespace heed::grammar
