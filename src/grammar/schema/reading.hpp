// The state of reading the keywords of a subschema.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "grammar/schema/keywords.hpp"

namespace heed::grammar {

struct Keywords::Reading {
  Site site;
  const Json& schema;
  std::vector<std::string_view> types;  // empty: all
  Closing within = Closing::none;       // passed to subschemas that apply to the same value
  bool sealed = false;                  // an absent additionalProperties counts as false

  bool allows(std::string_view type) const { return types.empty() || std::ranges::find(types, type) != types.end(); }
  /// The Closing for subschemas that apply to values inside this value.
  Closing of_values() const { return within == Closing::none ? Closing::none : Closing::all; }
  bool names(std::string_view type) const { return !types.empty() && allows(type); }
};

}  // namespace heed::grammar
