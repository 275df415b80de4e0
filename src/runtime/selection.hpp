// Selections of layers and heads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed::runtime {

/// All of [0, count) for an empty selection. Throws invalid_argument, naming `what`, for an index out of range.
std::vector<std::uint32_t> complete(std::vector<std::uint32_t> selection, std::size_t count, const char* what);

/// For each of [0, count) its index in the selection, or -1. Throws invalid_argument, naming `what`, for one listed twice.
std::vector<std::int32_t> slots(const std::vector<std::uint32_t>& selection, std::size_t count, const char* what);

}  // namespace heed::runtime
