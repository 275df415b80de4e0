// The one list of kernels that the comparison of targets walks over: each kernel, each dtype, each KV type.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/kernels.hpp"
#include "support/fuzz.hpp"

namespace heed::test {

/// Runs one kernel on inputs and shapes that `fuzz` makes, and returns all that it wrote. For one seed, every
/// target must return the same bits.
struct KernelRun {
  std::string name;
  std::vector<float> (*run)(const kernels::Kernels& kernels, Fuzz& fuzz);
};

std::span<const KernelRun> kernel_runs();

}  // namespace heed::test
