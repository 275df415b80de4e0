// A subschema while its keywords are read.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "grammar/schema/keywords.hpp"

namespace heed::grammar {

struct Keywords::Reading {
  Site site;
  const Json& schema;
  std::vector<std::string_view> types;  // none: all of them
  Closing within = Closing::none;       // of what applies to the same value
  bool sealed = false;                  // whether an absent additionalProperties is false

  bool allows(std::string_view type) const { return types.empty() || std::ranges::find(types, type) != types.end(); }
  /// Of the values within it.
  Closing of_values() const { return within == Closing::none ? Closing::none : Closing::all; }
  bool names(std::string_view type) const { return !types.empty() && allows(type); }
};

}  // namespace heed::grammar
