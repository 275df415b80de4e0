// Selections of layers, heads and positions, and memory for the values recorded of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed::runtime {

/// The selection, or all of [0, count) if it is empty. Throws invalid_argument, naming `owner` and `what`, for an index out of
/// range.
std::vector<std::uint32_t> complete(std::vector<std::uint32_t> selection, std::size_t count, const char* what,
                                    const char* owner = "the model");

/// For each of [0, count), its index in the selection, or -1. Throws invalid_argument, naming `what`, for an index listed twice.
std::vector<std::int32_t> slots(const std::vector<std::uint32_t>& selection, std::size_t count, const char* what);

/// Makes room for rows of zeros. Throws out_of_memory for `where`; `advice` ends the message: "numbers; ask for fewer layers".
void clear_rows(std::vector<float>& values, std::uint64_t rows, std::uint64_t width, const char* advice, const char* where);

}  // namespace heed::runtime
