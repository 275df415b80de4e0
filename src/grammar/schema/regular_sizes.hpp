// The texts of regular languages that have few, and how many they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/budget.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

/// The number of texts in `regular`, or `limit` if there are at least that many.
std::uint64_t count_texts(RegularPool& pool, Regular regular, std::uint64_t limit, Budget& budget);

/// The texts in `regular`; nothing if there are more than `limit`.
std::optional<std::vector<std::string>> texts_of(RegularPool& pool, Regular regular, std::size_t limit, Budget& budget);

}  // namespace heed::grammar
