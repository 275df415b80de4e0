// Explores the terms of a schema in advance, so that unsupported ones are refused when the language is made, not in the middle of a
// text.
#pragma once

#include "grammar/schema/normal_forms.hpp"

namespace heed::grammar {

/// Computes the normal forms of the terms of elements and members below `root`, up to a number of terms, and decides which have
/// values. Throws Refusal.
void explore(NormalForms& forms, Term root);

}  // namespace heed::grammar
