// A weight matrix packed for one target, in memory of exactly its size.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/kernels.hpp"
#include "tensor/buffer.hpp"

namespace heed::test {

class Packed {
 public:
  /// `stored`: the rows, one after the other, as a file has them.
  Packed(const kernels::Kernels& kernels, DType dtype, std::size_t rows, std::size_t columns,
         const std::vector<std::byte>& stored)
      : panels_((rows + kernels.panel_rows - 1) / kernels.panel_rows) {
    const std::size_t panel_bytes = kernels.panel_bytes(dtype, columns);
    storage_ = Buffer<std::byte>(panels_ * panel_bytes);
    matrix_ = {dtype, rows, columns, panel_bytes, storage_.data()};
    for (std::size_t row = 0; row < rows; ++row)
      kernels.pack_row(matrix_, row, stored.data() + row * row_bytes(dtype, columns));
  }

  const kernels::PackedMatrix& matrix() const { return matrix_; }
  std::size_t panels() const { return panels_; }

 private:
  std::size_t panels_;
  Buffer<std::byte> storage_;
  kernels::PackedMatrix matrix_;
};

/// Activations with the codes that quantised weights read, made by `kernels`.
class Activations {
 public:
  Activations(const kernels::Kernels& kernels, std::size_t tokens, std::size_t columns,
              std::vector<float> values)
      : tokens_(tokens), columns_(columns), values_(std::move(values)) {
    if (columns % 32 != 0) return;
    codes_.resize(tokens * columns);
    scales_.resize(tokens * columns / 32);
    sums_.resize(tokens * columns / 16);
    for (std::size_t t = 0; t < tokens; ++t)
      kernels.quantise(values_.data() + t * columns, columns, codes_.data() + t * columns,
                       scales_.data() + t * columns / 32, sums_.data() + t * columns / 16);
  }

  kernels::MatmulInput input() const {
    return {tokens_, columns_, values_.data(), codes_.data(), scales_.data(), sums_.data()};
  }
  const std::vector<float>& values() const { return values_; }
  const std::vector<std::int8_t>& codes() const { return codes_; }
  const std::vector<float>& scales() const { return scales_; }
  const std::vector<std::int32_t>& sums() const { return sums_; }

 private:
  std::size_t tokens_, columns_;
  std::vector<float> values_;
  std::vector<std::int8_t> codes_;
  std::vector<float> scales_;
  std::vector<std::int32_t> sums_;
};

}  // namespace heed::test
