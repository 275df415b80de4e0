// All values of a term that has only few.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "grammar/schema/normal_forms.hpp"

namespace heed::grammar {

/// The values, each once, as `NormalForms::element` numbers them; nothing where they are more than `limit`, or too many to look at.
std::optional<std::vector<Key>> few_values(NormalForms& forms, Term term, std::size_t limit);

}  // namespace heed::grammar
