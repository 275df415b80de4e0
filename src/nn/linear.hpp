// y = W x + b, for one or several matrices at once.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>

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

/// Writes every projection of x (T x columns of the matrices, which all agree): q, k and v; gate and up.
void project(const float* x, std::size_t tokens, std::initializer_list<Projection> projections, Pass& pass) noexcept;

/// A product with an input of its own.
struct Product {
  const Linear* linear;
  const float* x;      // tokens x linear->matrix.columns
  std::size_t tokens;
  float* out;          // tokens x linear->matrix.rows
};

/// Computes all of them as one range of work: the heads of latent attention, the experts of a mixture. All matrices have
/// as many columns. Neighbours that read the same input quantise it once.
void multiply(std::span<const Product> products, Pass& pass) noexcept;

}  // namespace heed::nn
