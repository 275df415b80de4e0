// Prefetching weights. One token's product is limited by memory, and the hardware's prefetching depends on the strides of a layout:
// without explicit prefetching, some types run at a third of memory's speed.
#pragma once

#include <cstddef>

namespace heed::kernels::generic {

/// Prefetches kBytes from 8 KiB after `at`, which may be beyond the end. Does nothing without such an instruction (WebAssembly).
template <std::size_t kBytes>
[[gnu::always_inline]] inline void prefetch_ahead(const void* at) {
  constexpr std::size_t kLine = 64, kDistance = 8192;
  for (std::size_t i = 0; i < kBytes; i += kLine) __builtin_prefetch(static_cast<const std::byte*>(at) + kDistance + i);
}

}  // namespace heed::kernels::generic
