// y = s W x + b, for one or several matrices at once, including the additions of a pass's adapters (nn/adapters/adaptation.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>

#include "kernels/kernels.hpp"
#include "tensor/buffer.hpp"

namespace heed::nn {

struct Pass;

/// Bounds on a matrix's input and output: one value each, or empty.
struct Clamp {
  Buffer<float> input_min, input_max, output_min, output_max;
};

struct Linear {
  kernels::PackedMatrix matrix;  // rows x columns
  Buffer<std::byte> storage;
  Buffer<float> bias;                 // rows, or empty
  Buffer<float> scale;                // one factor of the product, or empty
  std::uint32_t id = 0;               // number of this matrix among the model's, from 1 on; 0: it has none
  std::unique_ptr<Clamp> clamp = {};  // or nullptr
};

/// Whether both matrices have the same values in the same form, so that one can replace the other.
bool same_table(const Linear& a, const Linear& b) noexcept;
/// Frees `table` if it equals `other`. Returns the number of bytes freed; 0 if it is kept.
std::uint64_t drop_if_same(std::optional<Linear>& table, const Linear& other) noexcept;

struct Projection {
  const Linear* linear;
  float* out;  // T x linear->matrix.rows
};

/// Computes several projections of x (T x columns, the same for all matrices), such as q, k and v, or gate and up. rows: each
/// token's row in the pass, ascending; nullptr: 0, 1, 2, ....
void project(const float* x, std::size_t tokens, std::initializer_list<Projection> projections, Pass& pass,
             const std::size_t* rows = nullptr) noexcept;

/// Computes one projection of x as project() does, but only the panels in Pass::read, if there are some: the other rows of `out`
/// may stay unwritten.
void project_read(const float* x, std::size_t tokens, const Linear& linear, float* out, Pass& pass,
                  const std::size_t* rows = nullptr) noexcept;

/// A product with its own input.
struct Product {
  const Linear* linear;
  const float* x;  // tokens x linear->matrix.columns
  std::size_t tokens;
  float* out;                         // tokens x linear->matrix.rows
  const std::size_t* rows = nullptr;  // as in project()
  float* sum = nullptr;  // if not nullptr, `out` is scratch memory, and sum += factor * out; tokens x linear->matrix.rows
  float factor = 1;
};

/// Computes all products as one range of work: for example heads of latent attention, or experts of a mixture. All matrices with
/// quantized weights must have the same number of columns, and no two products may add to the same rows of `sum`. Consecutive
/// products with the same input quantize it once.
void multiply(std::span<const Product> products, Pass& pass) noexcept;

/// A row of s W: out[columns].
void look_up(const Linear& linear, std::size_t row, float* out, Pass& pass) noexcept;

}  // namespace heed::nn
