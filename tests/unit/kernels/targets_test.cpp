// Scalar is the specification: every target gives its bits.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "kernels/dispatch.hpp"
#include "support/errors.hpp"
#include "unit/kernels/emulated_relaxed.hpp"
#include "unit/kernels/kernel_runs.hpp"
#include "unit/kernels/same_bits.hpp"

namespace kernels = heed::kernels;
using heed::ErrorCode;
using heed::test::first_difference;
using heed::test::Fuzz;
using heed::test::kernel_runs;
using heed::test::KernelRun;

namespace {

void check_same_as_scalar(const kernels::Kernels& target) {
  constexpr std::uint64_t kSeeds = 60;
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const KernelRun& kernel : kernel_runs()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      Fuzz for_scalar(seed), for_target(seed);
      const auto expected = kernel.run(scalar, for_scalar), got = kernel.run(target, for_target);
      const std::size_t at = first_difference(expected, got);
      if (got.size() == expected.size() && at == expected.size()) continue;
      INFO(target.name << ", " << kernel.name << ", seed " << seed << ", value " << at << " of "
                       << expected.size());
      REQUIRE(got.size() == expected.size());
      CHECK(got[at] == expected[at]);
      break;
    }
  }
}

}  // namespace

TEST_CASE("every target gives the scalar target's bits", "[kernels]") {
  for (const kernels::Kernels* target : kernels::available()) {
    DYNAMIC_SECTION(target->name) { check_same_as_scalar(*target); }
  }
}

TEST_CASE("relaxed dot products give the scalar target's bits, however a machine answers",
          "[kernels][relaxed]") {
  for (const kernels::Kernels* target : heed::test::emulated_relaxed()) {
    DYNAMIC_SECTION(target->name) { check_same_as_scalar(*target); }
  }
}

TEST_CASE("targets are listed scalar first, and taken by name", "[kernels]") {
  const auto targets = kernels::available();
  REQUIRE_FALSE(targets.empty());
  CHECK(targets.front()->name == "scalar");
  for (const kernels::Kernels* target : targets) CHECK(&kernels::select(target->name) == target);
  CHECK(&kernels::select() == targets.back());
  heed::test::check_throws(ErrorCode::invalid_argument,
                           "target: no kernel target 'mmx' runs here; there are scalar",
                           [] { kernels::select("mmx"); });
}
