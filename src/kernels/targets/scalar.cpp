#include "kernels/dispatch.hpp"
#include "kernels/generic/table.hpp"
#include "kernels/isa/scalar.hpp"

namespace heed::kernels::targets {

const Kernels* scalar() noexcept { return &generic::kTable<isa::Scalar>; }

}  // namespace heed::kernels::targets
