// Makes kernels fast before the first prompt: WebAssembly engines start with a baseline compiler and, on another thread, optimize
// functions that have run for a while.
#pragma once

#include <span>

#include "kernels/kernels.hpp"

namespace heed::runtime {

/// Runs the kernels that a model with these types of weights and cache needs, on dummy data, for a few milliseconds each.
void warm_up(const kernels::Kernels& kernels, std::span<const DType> weights, KvType cache);

}  // namespace heed::runtime
