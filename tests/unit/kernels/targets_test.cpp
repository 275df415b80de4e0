// Scalar is the specification: every target gives its bits.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>

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

#ifdef __linux__
TEST_CASE("the fastest target is chosen of those that Linux says this processor can run", "[kernels]") {
  constexpr std::pair<std::string_view, std::string_view> kFastestFirst[] = {
      {"avx512_vnni", "avx512-vnni"}, {"avx2", "avx2"}, {"sse4_1", "sse41"},
      {"asimddp", "neon-dotprod"},    {"asimd", "neon"}};
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("flags") && !line.starts_with("Features")) {}
  std::istringstream words(line);
  const std::set<std::string, std::less<>> flags(std::istream_iterator<std::string>(words), {});
  if (flags.empty()) SKIP("/proc/cpuinfo does not say");
  const auto* best = std::ranges::find_if(kFastestFirst, [&](auto& known) { return flags.contains(known.first); });
  CHECK(kernels::select().name == (best == std::end(kFastestFirst) ? "scalar" : best->second));
}
#endif
