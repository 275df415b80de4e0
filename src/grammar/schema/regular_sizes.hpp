// Counts and enumerates the texts of small regular languages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/budget.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

/// min(number of texts in `regular`, limit).
std::uint64_t count_texts(RegularPool& pool, Regular regular, std::uint64_t limit, Budget& budget);

/// The texts in `regular`; nullopt if there are more than `limit`.
std::optional<std::vector<std::string>> texts_of(RegularPool& pool, Regular regular, std::size_t limit, Budget& budget);

}  // namespace heed::grammar
