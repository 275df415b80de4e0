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
#include "unit/kernels/check_target.hpp"

namespace kernels = heed::kernels;
using heed::ErrorCode;
using heed::test::check_same_as_scalar;

TEST_CASE("every target gives the scalar target's bits", "[kernels]") {
  for (const kernels::Kernels* target : kernels::available()) {
    DYNAMIC_SECTION(target->name) { check_same_as_scalar(*target); }
  }
}

TEST_CASE("targets are listed scalar first, and taken by name", "[kernels]") {
  const auto targets = kernels::available();
  REQUIRE_FALSE(targets.empty());
  CHECK(targets.front()->name == "scalar");
  for (const kernels::Kernels* target : targets) CHECK(&kernels::select(target->name) == target);
  CHECK(&kernels::select() == targets.back());
  heed::test::check_throws(ErrorCode::invalid_argument, "target: no kernel target 'mmx' runs here; available: scalar",
                           [] { kernels::select("mmx"); });
}

#ifdef __linux__
TEST_CASE("the fastest target that the processor supports, according to Linux, is chosen", "[kernels]") {
  constexpr std::pair<std::string_view, std::string_view> kFastestFirst[] = {
      {"avx512_vnni", "avx512-vnni"}, {"avx2", "avx2"}, {"sse4_1", "sse41"}, {"asimddp", "neon-dotprod"}, {"asimd", "neon"}};
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("flags") && !line.starts_with("Features")) {
  }
  std::istringstream words(line);
  const std::set<std::string, std::less<>> flags(std::istream_iterator<std::string>(words), {});
  if (flags.empty()) SKIP("/proc/cpuinfo does not say");
  const auto* best = std::ranges::find_if(kFastestFirst, [&](auto& known) { return flags.contains(known.first); });
  CHECK(kernels::select().name == (best == std::end(kFastestFirst) ? "scalar" : best->second));
}
#endif

#ifdef __wasm_relaxed_simd__
TEST_CASE("this machine's relaxed dot product is of a known class", "[kernels][relaxed]") {
  CHECK(kernels::select().name.starts_with("relaxed-"));
}
#endif
