#include "kernels/dispatch.hpp"
#include "kernels/generic/table.hpp"
#include "kernels/isa/simd128.hpp"

namespace heed::kernels::targets {

const Kernels* simd128() noexcept { return &generic::kTable<isa::Simd128>; }

}  // namespace heed::kernels::targets
