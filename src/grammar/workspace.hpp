// What the languages that one text is made of have in common.
#pragma once

#include <memory>

#include "grammar/budget.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

/// Their expressions, so that equal ones are equal everywhere, and the budget to which all work is charged.
struct Workspace {
  Budget budget;
  RegularPool pool{budget};
};

/// For a language by itself.
inline std::shared_ptr<Workspace> own_workspace() { return std::make_shared<Workspace>(); }

}  // namespace heed::grammar
