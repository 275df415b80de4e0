// Where a kernel of a target first differs from the scalar target's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/dispatch.hpp"
#include "unit/kernels/kernel_runs.hpp"
#include "unit/kernels/same_bits.hpp"

namespace heed::test {

/// Runs `kernel` on random arguments of seeds [0, seeds), on `target` and on the scalar one. The first value whose bits differ, in
/// words; nullopt if there is none.
inline std::optional<std::string> disagreement(const kernels::Kernels& target, const KernelRun& kernel, std::uint64_t seeds) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Fuzz for_scalar(seed), for_target(seed);
    const auto expected = kernel.run(kernels::select("scalar"), for_scalar), got = kernel.run(target, for_target);
    const std::size_t at = first_difference(expected, got);
    if (got.size() == expected.size() && at == expected.size()) continue;
    return std::string(target.name) + ", " + std::string(kernel.name) + ", seed " + std::to_string(seed) + ": value " +
           std::to_string(at) + " of " + std::to_string(expected.size()) +
           (got.size() == expected.size() ? "" : ", where the target has " + std::to_string(got.size()));
  }
  return std::nullopt;
}

}  // namespace heed::test
