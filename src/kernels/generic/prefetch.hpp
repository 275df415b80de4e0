// Asking for weights before they are needed. One token's product is limited by memory alone, and what hardware fetches
// by itself depends on the strides of a layout: without this, some run at a third of memory's speed.
#pragma once

#include <cstddef>

namespace heed::kernels::generic {

/// The kBytes that lie 8 KiB past `at`, or nothing where there is no such instruction (WebAssembly). They may be past
/// the end: nothing is read.
template <std::size_t kBytes>
[[gnu::always_inline]] inline void prefetch_ahead(const void* at) {
  constexpr std::size_t kLine = 64, kDistance = 8192;
  for (std::size_t i = 0; i < kBytes; i += kLine) __builtin_prefetch(static_cast<const std::byte*>(at) + kDistance + i);
}

}  // namespace heed::kernels::generic
