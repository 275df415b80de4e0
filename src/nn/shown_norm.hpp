// Applies a norm, and shows its divisor to the listeners of a pass, which may change it.
#pragma once

#include <cstddef>

#include "nn/norm.hpp"

namespace heed::nn {

/// out: T x D; may be in.data. rows: each token's row in the pass; nullptr: 0, 1, 2, ....
void apply_shown(const Norm& norm, Activations in, float* out, const Place& divided_by, const Place& normalized, Pass& pass,
                 const std::size_t* rows = nullptr) noexcept;

}  // namespace heed::nn
