#include "kernels/dispatch.hpp"
#include "kernels/generic/table.hpp"
#include "kernels/isa/avx512_vnni.hpp"

namespace heed::kernels::targets {

const Kernels* avx512() noexcept { return &generic::kTable<isa::Avx512Vnni>; }

}  // namespace heed::kernels::targets
