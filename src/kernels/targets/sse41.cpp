#include "kernels/dispatch.hpp"
#include "kernels/generic/table.hpp"
#include "kernels/isa/xsimd_x86.hpp"

namespace heed::kernels::targets {

const Kernels* sse41() noexcept { return &generic::kTable<isa::XsimdX86<xsimd::sse4_1>>; }

}  // namespace heed::kernels::targets
