#include "grammar/budget.hpp"

#include "grammar/refusal.hpp"

namespace heed::grammar {

void Budget::refuse() const { throw Refusal{"too-large", "", "", "this takes more than " + std::to_string(steps_) + " steps"}; }

}  // namespace heed::grammar
