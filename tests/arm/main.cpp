// Every kernel on every target of this machine, against the scalar one, bit for bit. A program without Catch2, so that it can be built
// for a processor that Debian's library is not there for; `npm test -- arm` runs it in an emulator.
#include <cstdint>
#include <cstdio>
#include <string>

#include "kernels/dispatch.hpp"
#include "unit/kernels/kernel_runs.hpp"
#include "unit/kernels/same_bits.hpp"

namespace {

constexpr std::uint64_t kSeeds = 20;

/// Whether a kernel gives the scalar target's bits for each seed.
bool agrees(const heed::kernels::Kernels& target, const heed::test::KernelRun& kernel) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    heed::test::Fuzz for_scalar(seed), for_target(seed);
    const auto expected = kernel.run(heed::kernels::select("scalar"), for_scalar), got = kernel.run(target, for_target);
    const std::size_t at = heed::test::first_difference(expected, got);
    if (got.size() == expected.size() && at == expected.size()) continue;
    std::printf("FAILED: %s, %s, seed %d, value %zu of %zu\n", std::string(target.name).c_str(), std::string(kernel.name).c_str(),
                static_cast<int>(seed), at, expected.size());
    return false;
  }
  return true;
}

}  // namespace

int main() {
  int passed = 0, failed = 0;
  for (const heed::kernels::Kernels* target : heed::kernels::available()) {
    if (target->name == "scalar") continue;
    for (const heed::test::KernelRun& kernel : heed::test::kernel_runs()) (agrees(*target, kernel) ? passed : failed) += 1;
    std::printf("ran %s\n", std::string(target->name).c_str());
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
