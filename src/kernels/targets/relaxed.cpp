#include "kernels/dispatch.hpp"
#include "kernels/generic/table.hpp"
#include "kernels/isa/relaxed_simd.hpp"

namespace heed::kernels::targets {

/// nullptr where the engine's answer is none that we know.
const Kernels* relaxed() noexcept {
  using isa::DotClass, isa::RelaxedSimd;
  switch (isa::probe_dot_class()) {
    case DotClass::sdot: return &generic::kTable<RelaxedSimd<DotClass::sdot>>;
    case DotClass::usdot: return &generic::kTable<RelaxedSimd<DotClass::usdot>>;
    case DotClass::sat: return &generic::kTable<RelaxedSimd<DotClass::sat>>;
    case DotClass::unknown: break;
  }
  return nullptr;
}

}  // namespace heed::kernels::targets
