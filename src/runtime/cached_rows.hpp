// Reads cached keys and values as floats, for inspecting attention.
#pragma once

#include <cstddef>

#include "kernels/kernels.hpp"

namespace heed::runtime {

/// Writes the keys at positions [begin, end) to `keys`, (end - begin) x key_dim, and the values to `values`, (end - begin) x value_dim;
/// either may be nullptr. Throws std::bad_alloc.
void read_cached(const kernels::KvHead& kv, std::size_t begin, std::size_t end, const kernels::Kernels& kernels, float* keys,
                 float* values);

}  // namespace heed::runtime
