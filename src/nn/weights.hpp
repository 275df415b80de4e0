// Hands a model's tensors to its blocks: a block asks by name and shape, and gets memory that fills as the file streams
// in. Differences between files (fused matrices, RoPE row order) end here.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/tensor_file.hpp"
#include "kernels/kernels.hpp"
#include "nn/linear.hpp"
#include "nn/spec.hpp"
#include "tensor/buffer.hpp"

namespace heed::nn {

/// Where a stored row goes. The default leaves rows as they are; `halves_from_interleaved` sorts the `rotary` rows from
/// `first` on of each head so that pairs (2i, 2i + 1) become (i, i + rotary / 2).
struct RowOrder {
  std::size_t head_dim = 0, first = 0, rotary = 0;

  static RowOrder halves_from_interleaved(std::size_t head_dim, std::size_t first, std::size_t rotary) {
    return {head_dim, first, rotary};
  }
  std::size_t operator()(std::size_t row) const noexcept {
    if (rotary == 0 || row % head_dim < first || row % head_dim >= first + rotary) return row;
    const std::size_t i = row % head_dim - first;
    return row - i + i / 2 + i % 2 * (rotary / 2);
  }
};

/// Rows [first, first + rows) of a stored matrix, or all of it.
struct RowRange {
  std::size_t first = 0, of = 0;  // `of`: rows of the stored matrix; 0 means that it holds just the rows asked for
};

class Weights {
 public:
  /// Both must outlive this object.
  Weights(const formats::TensorFile& file, const kernels::Kernels& kernels);

  const kernels::Kernels& kernels() const noexcept { return *kernels_; }
  bool contains(std::string_view name) const noexcept { return file_->find(name) != nullptr; }
  /// Rows of `name`, all dimensions but the last; 0 where there is no such tensor.
  std::size_t rows(std::string_view name) const noexcept;

  /// `name`.weight as rows x columns, and `name`.bias where there is one (or there must be). A tensor of more dimensions
  /// is read as a matrix: its first ones count as rows. Throws invalid_file, naming the tensor, if it is missing or has
  /// another shape; std::bad_alloc.
  Linear linear(const std::string& name, std::size_t rows, std::size_t columns, bool biased = false,
                RowOrder order = {}, RowRange range = {});

  /// `count` matrices of rows x columns that are one tensor, one below the other.
  std::vector<Linear> linears(const std::string& name, std::size_t count, std::size_t rows, std::size_t columns,
                              bool biased = false);

  /// A vector of `size` floats, or a small table, row after row. Same errors; the tensor must be F32, F16 or BF16.
  Buffer<float> vector(const std::string& name, std::size_t size, RowOrder order = {});
  Buffer<float> table(const std::string& name, std::size_t rows, std::size_t columns, RowOrder order = {});
  /// As vector; empty where the file has none.
  Buffer<float> optional_vector(const std::string& name, std::size_t size, RowOrder order = {});

  /// Throws unsupported, naming it, if the file has a tensor that no block asked for.
  void check_all_taken() const;

  /// Values in a row of tensor `index` of the file, as the block that took it sees it: trailing dimensions may be one.
  std::size_t columns(std::size_t index) const noexcept { return places_[index].columns; }

  /// Puts one stored row of tensor `index` of the file in its place. Any order, any thread.
  void write_row(std::size_t index, std::size_t row, const std::byte* stored) const noexcept;

 private:
  struct MatrixPlace {
    std::size_t first, rows;  // of the stored tensor
    RowOrder order;
    kernels::PackedMatrix matrix;
  };
  struct VectorPlace {
    std::size_t first, size;  // elements of the stored tensor
    RowOrder order;
    float* values;
  };
  struct Places {
    std::size_t columns = 0;            // of a row, as who asked for the tensor sees it
    std::vector<MatrixPlace> matrices;  // by first row, not overlapping
    std::vector<VectorPlace> vectors;
  };

  std::size_t require(const std::string& name, std::size_t rows, std::size_t columns);
  Buffer<float> floats(std::size_t index, std::size_t size, RowOrder order, std::size_t first);

  const formats::TensorFile* file_;
  const kernels::Kernels* kernels_;
  std::vector<Places> places_;  // by tensor
};

}  // namespace heed::nn
