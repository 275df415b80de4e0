// The state shared by all languages of one constraint.
#pragma once

#include <memory>

#include "grammar/budget.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

/// One pool, so that equal expressions have equal ids in all languages, and one budget for all work.
struct Workspace {
  Budget budget;
  RegularPool pool{budget};
};

/// For a language used alone.
inline std::shared_ptr<Workspace> own_workspace() { return std::make_shared<Workspace>(); }

}  // namespace heed::grammar
