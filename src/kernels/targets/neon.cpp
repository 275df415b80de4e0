#include "kernels/dispatch.hpp"
#include "kernels/generic/table.hpp"
#include "kernels/isa/neon.hpp"

namespace heed::kernels::targets {

const Kernels* neon() noexcept { return &generic::kTable<isa::Neon>; }

}  // namespace heed::kernels::targets
