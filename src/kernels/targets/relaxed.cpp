#include "kernels/dispatch.hpp"
#include "kernels/generic/table.hpp"
#include "kernels/isa/relaxed_simd.hpp"

namespace heed::kernels::targets {

/// nullptr if the engine's dot product is of no known class: pages then load the simd128 module (bindings/js/platform/simd.ts).
const Kernels* relaxed() noexcept {
  using namespace isa;
  switch (probe_dot_class<Simd128, RelaxedInstruction>()) {
    case DotClass::sdot: return &generic::kTable<RelaxedSimd<DotClass::sdot>>;
    case DotClass::usdot: return &generic::kTable<RelaxedSimd<DotClass::usdot>>;
    case DotClass::sat: return &generic::kTable<RelaxedSimd<DotClass::sat>>;
    case DotClass::unknown: break;
  }
  return nullptr;
}

}  // namespace heed::kernels::targets
