// Which kernels this machine can run. Native: asked of the CPU; wasm: the module that was loaded, and its probed dot class.
#pragma once

#include <span>
#include <string_view>

#include "kernels/kernels.hpp"

namespace heed::kernels {

/// Every target that runs here, scalar first (where it is built in: wasm modules lack it), the fastest last. None in a
/// relaxed module on an engine whose dot product is none that we know.
std::span<const Kernels* const> available() noexcept;

/// The fastest for an empty name; else the one of that name. Throws invalid_argument, listing what there is, and
/// unsupported where there is none.
const Kernels& select(std::string_view name = {});

/// One function a unit in targets/.
namespace targets {
const Kernels* scalar() noexcept;
const Kernels* sse41() noexcept;
const Kernels* avx2() noexcept;
const Kernels* avx512() noexcept;
const Kernels* neon() noexcept;
const Kernels* neon_dotprod() noexcept;
const Kernels* simd128() noexcept;
const Kernels* relaxed() noexcept;
}  // namespace targets

}  // namespace heed::kernels
