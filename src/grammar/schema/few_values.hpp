// Enumerates the values of a term with few values.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "grammar/schema/normal_forms.hpp"

namespace heed::grammar {

/// The distinct values, as NormalForms::element numbers them; nullopt if there are more than `limit`, or if too many candidates
/// must be enumerated.
std::optional<std::vector<Key>> few_values(NormalForms& forms, Term term, std::size_t limit);

}  // namespace heed::grammar
