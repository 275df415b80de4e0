// For engines that compile code while it runs: WebAssembly starts in a baseline tier, and what has run for a while is
// compiled well, on another thread. Kernels that run before the first prompt comes are fast when it does.
#pragma once

#include <span>

#include "kernels/kernels.hpp"

namespace heed::runtime {

/// Runs the kernels that a model with these types of weights and cache takes its time with, on made-up numbers, a few
/// milliseconds each.
void warm_up(const kernels::Kernels& kernels, std::span<const DType> weights, KvType cache);

}  // namespace heed::runtime
