#include "kernels/dispatch.hpp"
#include "kernels/generic/table.hpp"
#include "kernels/isa/xsimd_x86.hpp"

namespace heed::kernels::targets {

const Kernels* avx2() noexcept { return &generic::kTable<isa::XsimdX86<xsimd::avx2>>; }

}  // namespace heed::kernels::targets
