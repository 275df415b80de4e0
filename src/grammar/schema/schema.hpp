// Compiles JSON Schema to a language of JSON texts.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "grammar/language.hpp"
#include "grammar/schema/keywords.hpp"
#include "grammar/schema/options.hpp"
#include "grammar/workspace.hpp"

namespace heed::grammar {

struct SchemaLanguage {
  std::unique_ptr<Language> language;
  std::vector<Ignored> ignored;  // formats that no draft defines
};

/// The texts of the valid values of a schema, given as JSON. Throws Refusal: `invalid` for a malformed schema, `unsupported` for
/// one that cannot be enforced exactly, `unsatisfiable` if no value is valid, `too-large`.
///
///     const auto [language, ignored] = make_schema_language(R"({"type": "array", "items": {"type": "integer"}})");
SchemaLanguage make_schema_language(std::string_view schema, const SchemaOptions& options = {},
                                    std::shared_ptr<Workspace> workspace = own_workspace());

}  // namespace heed::grammar
