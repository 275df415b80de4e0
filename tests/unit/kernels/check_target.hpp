// Whether a target gives the scalar target's bits, kernel for kernel.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include "unit/kernels/disagreement.hpp"

namespace heed::test {

inline void check_same_as_scalar(const kernels::Kernels& target) {
  for (const KernelRun& kernel : kernel_runs()) {
    const std::optional<std::string> found = disagreement(target, kernel, 60);
    INFO(found.value_or(std::string(kernel.name)));
    CHECK(!found);
  }
}

}  // namespace heed::test
