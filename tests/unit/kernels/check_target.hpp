// Whether a target gives the scalar target's bits, kernel for kernel.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include "kernels/dispatch.hpp"
#include "unit/kernels/kernel_runs.hpp"
#include "unit/kernels/same_bits.hpp"

namespace heed::test {

inline void check_same_as_scalar(const kernels::Kernels& target) {
  constexpr std::uint64_t kSeeds = 60;
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const KernelRun& kernel : kernel_runs()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      Fuzz for_scalar(seed), for_target(seed);
      const auto expected = kernel.run(scalar, for_scalar), got = kernel.run(target, for_target);
      const std::size_t at = first_difference(expected, got);
      if (got.size() == expected.size() && at == expected.size()) continue;
      INFO(target.name << ", " << kernel.name << ", seed " << seed << ", value " << at << " of " << expected.size());
      REQUIRE(got.size() == expected.size());
      CHECK(got[at] == expected[at]);
      break;
    }
  }
}

}  // namespace heed::test
