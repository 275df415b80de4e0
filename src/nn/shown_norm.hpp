// Applies a norm, and shows to the listeners of a pass what it divides by, which they may hold.
#pragma once

#include <cstddef>

#include "nn/norm.hpp"

namespace heed::nn {

/// out: T x D; may be in.data. rows: the row of the pass of each token; nullptr: 0, 1, 2, ....
void apply_shown(const Norm& norm, Activations in, float* out, const Place& divided_by, const Place& normalized, Pass& pass,
                 const std::size_t* rows = nullptr) noexcept;

}  // namespace heed::nn
