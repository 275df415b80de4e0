// Loops whose index is a compile-time constant.
#pragma once

#include <cstddef>
#include <utility>

namespace heed::kernels::generic {

/// Calls f(std::integral_constant<std::size_t, 0>), ..., f(std::integral_constant<std::size_t, N - 1>).
template <std::size_t N, class F>
[[gnu::always_inline]] inline void unroll(F&& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<N>{});
}

}  // namespace heed::kernels::generic
