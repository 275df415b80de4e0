// calloc that leaves fresh pages alone on every platform: they are zero already, so what is not used costs
// nothing.
#pragma once

#include <cstddef>

namespace heed {

/// Zeroed memory, for std::free; nullptr where there is none. In WebAssembly, no other thread may allocate
/// at the same time.
void* allocate_zeroed(std::size_t bytes) noexcept;

}  // namespace heed
