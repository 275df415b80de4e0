#include "grammar/budget.hpp"

#include <string>

#include "grammar/refusal.hpp"

namespace heed::grammar {

void Budget::spend_slowly(std::uint64_t steps) {
  if (steps > left()) throw Refusal{"too-large", "", "", "this takes more than " + std::to_string(steps_) + " steps"};
  split(left() - steps);
  if (on_progress) on_progress();
}

}  // namespace heed::grammar
