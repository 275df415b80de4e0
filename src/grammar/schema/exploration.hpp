// Looks at all that a schema's texts may come to, so that what cannot be held is refused when the language is made and not in the
// middle of a text.
#pragma once

#include "grammar/schema/normal_forms.hpp"

namespace heed::grammar {

/// Makes the normal forms of the terms that elements and members of `root` may be in, and of theirs, up to a number of terms, and decides
/// which have values. Throws Refusal.
void explore(NormalForms& forms, Term root);

}  // namespace heed::grammar
