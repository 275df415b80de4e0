// The Walsh-Hadamard transform (Sylvester order) of vectors in pieces, without the factor 1 / sqrt(piece): applied twice, it gives
// the vector times `piece`, a power of two, so that no factor rounds.
#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/generic/vectors.hpp"
#include "kernels/kv_layout.hpp"

namespace heed::kernels::generic {

/// Replaces a and b by their sum and their difference.
static inline void combine(Vector<float>& a, Vector<float>& b) {
  const auto sum = a + b;
  b = a - b;
  a = sum;
}

/// The steps of a transform of eight values, except the last one.
static inline void rotate_pairs(Vector<float>& a, Vector<float>& b) {
  auto even = __builtin_shufflevector(a, b, 0, 2, 4, 6), odd = __builtin_shufflevector(a, b, 1, 3, 5, 7);
  combine(even, odd);
  auto first = __builtin_shufflevector(even, odd, 0, 4, 2, 6), second = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
  combine(first, second);
  a = __builtin_shufflevector(first, second, 0, 1, 4, 5);
  b = __builtin_shufflevector(first, second, 2, 3, 6, 7);
}

/// Transforms x in place. n must be a multiple of piece, which is a power of two.
[[gnu::noinline]] static inline void rotate(float* x, std::size_t n, std::size_t piece) {
  constexpr std::size_t kRegisters = 4, kLanes = 4, kFirst = kRegisters * kLanes;
  std::size_t half = 1;
  if (piece >= kFirst) {
#pragma clang loop unroll(disable)
    for (std::size_t i = 0; i < n; i += kFirst) {
      Vector<float> v[kRegisters];
      for (std::size_t r = 0; r < kRegisters; ++r) v[r] = load_vector(x + i + r * kLanes);
      for (std::size_t r = 0; r < kRegisters; r += 2) {
        rotate_pairs(v[r], v[r + 1]);
        combine(v[r], v[r + 1]);
      }
      for (std::size_t r = 0; r < kRegisters / 2; ++r) combine(v[r], v[r + kRegisters / 2]);
      for (std::size_t r = 0; r < kRegisters; ++r) store_vector<float>(x + i + r * kLanes, v[r]);
    }
    half = kFirst;
  }
  for (; half < piece; half *= 2)
    for (std::size_t i = 0; i < n; i += 2 * half) {
      std::size_t j = i;
#pragma clang loop unroll(disable)
      for (; j + kLanes <= i + half; j += kLanes) {
        auto a = load_vector(x + j), b = load_vector(x + j + half);
        combine(a, b);
        store_vector<float>(x + j, a);
        store_vector<float>(x + j + half, b);
      }
#pragma clang loop unroll(disable) vectorize(disable)
      for (; j < i + half; ++j) {
        const float a = x[j], b = x[j + half];
        x[j] = a + b;
        x[j + half] = a - b;
      }
    }
}

/// The inverse of rotate().
static inline void rotate_back(float* x, std::size_t n, std::size_t piece) {
  if (piece == 1) return;
  rotate(x, n, piece);
#pragma clang loop unroll(disable)
  for (std::size_t i = 0; i < n; ++i) x[i] *= 1.0f / static_cast<float>(piece);
}

/// Calls f(first, rotated, count) for each part of a vector; `first` is the part's first index. Parts have whole blocks, except the
/// last, which is followed by zeros up to a multiple of kWide.
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
