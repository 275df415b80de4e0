// Helpers to examine regular languages.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/regular/pool.hpp"

namespace heed::test {

inline grammar::Regular after(grammar::RegularPool& pool, grammar::Regular expression, std::string_view text) {
  for (const char byte : text) expression = pool.derive(expression, static_cast<std::uint8_t>(byte));
  return expression;
}

inline bool matches(grammar::RegularPool& pool, grammar::Regular expression, std::string_view text) {
  return pool.accepts_empty(after(pool, expression, text));
}

/// A shortest text of the language, found without relying on `derive` for emptiness; "none" if the language is empty.
inline std::string shortest_text(grammar::RegularPool& pool, grammar::Regular expression) {
  struct Reached {
    grammar::Regular expression;
    std::size_t from;
    char byte;
  };
  std::vector<Reached> reached = {{expression, 0, 0}};
  std::set<grammar::Regular> seen = {expression};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (pool.accepts_empty(reached[i].expression)) {
      std::string text;
      for (std::size_t at = i; at != 0; at = reached[at].from) text.insert(text.begin(), reached[at].byte);
      return text;
    }
    const auto bytes = pool.classes(reached[i].expression).first_of;
    for (const std::uint8_t byte : bytes) {
      const grammar::Regular next = pool.derive(reached[i].expression, byte);
      if (next != grammar::Regular::kNothing && seen.insert(next).second) reached.push_back({next, i, static_cast<char>(byte)});
    }
  }
  return "none";
}

}  // namespace heed::test
