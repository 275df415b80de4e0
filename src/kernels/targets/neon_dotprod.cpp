#include "kernels/dispatch.hpp"
#include "kernels/generic/table.hpp"
#include "kernels/isa/neon_dotprod.hpp"

namespace heed::kernels::targets {

const Kernels* neon_dotprod() noexcept { return &generic::kTable<isa::NeonDotprod>; }

}  // namespace heed::kernels::targets
