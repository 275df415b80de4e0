// y = W x + b, for one or several matrices that share x (q, k and v; gate and up).
#pragma once

#include <cstddef>
#include <initializer_list>

#include "kernels/kernels.hpp"
#include "tensor/buffer.hpp"

namespace heed::nn {

struct Pass;

struct Linear {
  kernels::PackedMatrix matrix;  // rows x columns
  Buffer<std::byte> storage;
  Buffer<float> bias;            // rows, or empty
};

struct Projection {
  const Linear* linear;
  float* out;  // T x linear->matrix.rows
};

/// Writes every projection of x (T x columns of the matrices, which all agree).
void project(const float* x, std::size_t tokens, std::initializer_list<Projection> projections, Pass& pass) noexcept;

}  // namespace heed::nn
