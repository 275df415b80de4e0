// The language of one regular expression.
#pragma once

#include <memory>
#include <string_view>

#include "grammar/language.hpp"
#include "grammar/workspace.hpp"

namespace heed::grammar {

/// The texts that a regular expression (regular/regex.hpp) matches as a whole. Throws Refusal: invalid and unsupported, with the
/// construct as keyword and its offset in code points as path; unsatisfiable; too-large.
std::unique_ptr<Language> make_regular_language(std::string_view expression,
                                                std::shared_ptr<Workspace> workspace = own_workspace());

}  // namespace heed::grammar
