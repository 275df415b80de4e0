// Products with matrices that the caller passes, in single precision.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heed::runtime {

class Workspace;

/// A K x N matrix, row by row, or its transpose.
struct CallersMatrix {
  std::span<const float> values;
  std::size_t columns = 0;  // N
  bool transposed = false;  // values are N rows of length K
};

/// X M (rows x N), for X of rows x K, on all threads. Terms are added one after another along K, as in every product of the engine.
/// Throws invalid_argument if the lengths do not match, and std::bad_alloc.
std::vector<float> multiply(Workspace& workspace, std::span<const float> x, std::size_t rows, const CallersMatrix& matrix);

}  // namespace heed::runtime
