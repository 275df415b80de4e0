// Zeroed memory. Unlike calloc on some platforms, never touches fresh pages, which are zero already, so unused memory costs
// nothing.
#pragma once

#include <cstddef>

namespace heed {

/// Zeroed memory, to be freed by std::free; nullptr if there is none left. In WebAssembly, no other thread may allocate at the same
/// time.
void* allocate_zeroed(std::size_t bytes) noexcept;

}  // namespace heed
