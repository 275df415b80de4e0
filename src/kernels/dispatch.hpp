// Which kernels this machine can run: natively by the features of the CPU, in WebAssembly by the module and its probed dot class.
#pragma once

#include <span>
#include <string_view>

#include "kernels/kernels.hpp"

namespace heed::kernels {

/// The targets that run here, from scalar (which wasm modules lack) to the fastest. Empty in a relaxed module on an engine with an
/// unknown dot product.
std::span<const Kernels* const> available() noexcept;

/// The target with this name, or the fastest if the name is empty. Throws invalid_argument, which lists the names, for one that
/// does not run here, and unsupported if none does.
const Kernels& select(std::string_view name = {});

/// One function for each unit in targets/.
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
