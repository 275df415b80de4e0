// Compares every kernel on every target of this machine with the scalar one, bit for bit. Does without Catch2, so that it can be
// built for processors for which Debian's library is not installed; `npm test -- arm` runs it in an emulator.
#include <cstdio>
#include <string>

#include "unit/kernels/disagreement.hpp"

int main() {
  int passed = 0, failed = 0;
  for (const heed::kernels::Kernels* target : heed::kernels::available()) {
    if (target->name == "scalar") continue;
    for (const heed::test::KernelRun& kernel : heed::test::kernel_runs()) {
      const auto found = heed::test::disagreement(*target, kernel, 20);
      if (found) std::printf("FAILED: %s\n", found->c_str());
      (found ? failed : passed) += 1;
    }
    std::printf("ran %s\n", std::string(target->name).c_str());
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
