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

  bool allows(std::string_view type) const { return types.empty() || std::ranges::find(types, type) != types.end(); }
  bool names(std::string_view type) const { return !types.empty() && allows(type); }
};

}  // namespace heed::grammar
