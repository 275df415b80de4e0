// Selections of layers, heads and positions, and the numbers that are kept of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed::runtime {

/// All of [0, count) for an empty selection. Throws invalid_argument, naming `what`, and what has as many of them, for an index out of range.
std::vector<std::uint32_t> complete(std::vector<std::uint32_t> selection, std::size_t count, const char* what,
                                    const char* owner = "the model");

/// For each of [0, count) its index in the selection, or -1. Throws invalid_argument, naming `what`, for one listed twice.
std::vector<std::int32_t> slots(const std::vector<std::uint32_t>& selection, std::size_t count, const char* what);

/// Makes room for rows of numbers, all 0. Throws out_of_memory for `where`, which `advice` ends: "numbers; ask for fewer layers".
void clear_rows(std::vector<float>& values, std::uint64_t rows, std::uint64_t width, const char* advice, const char* where);

}  // namespace heed::runtime
