// The language of a GBNF grammar.
#pragma once

#include <memory>
#include <string_view>

#include "grammar/language.hpp"
#include "grammar/workspace.hpp"

namespace heed::grammar {

/// Supports all context-free grammars, also ambiguous and left-recursive ones and empty rules. `text` is UTF-8 and need not outlive
/// the call. Throws Refusal: invalid, with "line:column" as path and a rule's name as keyword; unsatisfiable; too-large.
///
///     const auto language = make_gbnf_language("root ::= \"yes\" | \"no\"");
std::unique_ptr<Language> make_gbnf_language(std::string_view text, std::shared_ptr<Workspace> workspace = own_workspace());

}  // namespace heed::grammar
