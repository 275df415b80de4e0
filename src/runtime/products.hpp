// Products with matrices of the caller's, such as encoders of features, in single precision.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heed::runtime {

class Workspace;

/// A matrix of K x N numbers, row by row, or its transpose.
struct CallersMatrix {
  std::span<const float> values;
  std::size_t columns = 0;  // N
  bool transposed = false;  // N rows of K numbers
};

/// X M for X of rows x K: rows x N. The products are added one after another along K, as in every product of the engine, on all threads.
/// Throws invalid_argument if the lengths do not match, and std::bad_alloc.
std::vector<float> multiply(Workspace& workspace, std::span<const float> x, std::size_t rows, const CallersMatrix& matrix);

}  // namespace heed::runtime
