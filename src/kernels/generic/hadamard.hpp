// The Walsh-Hadamard transform (Sylvester order) of vectors in pieces, without the factor 1 / sqrt(piece): applied twice, it gives
// the vector times `piece`, a power of two, so that no factor rounds.
#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/kv_layout.hpp"

namespace heed::kernels::generic {

/// In place. n must be a multiple of piece, which is a power of two.
[[gnu::noinline]] static inline void rotate(float* x, std::size_t n, std::size_t piece) {
  for (std::size_t half = 1; half < piece; half *= 2)
    for (std::size_t i = 0; i < n; i += 2 * half)
      for (std::size_t j = i; j < i + half; ++j) {
        const float a = x[j], b = x[j + half];
        x[j] = a + b;
        x[j + half] = a - b;
      }
}

/// The inverse.
static inline void rotate_back(float* x, std::size_t n, std::size_t piece) {
  if (piece == 1) return;
  rotate(x, n, piece);
#pragma clang loop unroll(disable)
  for (std::size_t i = 0; i < n; ++i) x[i] *= 1.0f / static_cast<float>(piece);
}

/// Calls f(first, rotated, count) for all parts of a vector, with the first index of each. Parts are whole blocks, but for the last, which
/// is followed by zeros up to a multiple of kWide.
template <class F>
void each_rotated_part(const float* x, std::size_t n, std::size_t piece, F f) {
  constexpr std::size_t kMost = 256;
  float part[kMost];
  for (std::size_t first = 0; first < n; first += kMost) {
    const std::size_t count = std::min(kMost, n - first);
    std::copy_n(x + first, count, part);
    std::fill(part + count, part + padded(count), 0.0f);
    rotate(part, count, piece);
    f(first, part, count);
  }
}

}  // namespace heed::kernels::generic
