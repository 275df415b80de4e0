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
#include "tensor/buffer.hpp"

namespace heed::nn {

/// Where a stored row goes. The default leaves rows as they are; `halves_from_interleaved` sorts the first `rotary` rows
/// of each head so that pairs (2i, 2i + 1) become (i, i + rotary / 2).
struct RowOrder {
  std::size_t head_dim = 0, rotary = 0;

  static RowOrder halves_from_interleaved(std::size_t head_dim, std::size_t rotary) { return {head_dim, rotary}; }
  std::size_t operator()(std::size_t row) const noexcept {
    if (rotary == 0 || row % head_dim >= rotary) return row;
    const std::size_t i = row % head_dim;
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

  /// `name`.weight as rows x columns, and `name`.bias where there is one (or there must be). Throws invalid_file, naming
  /// the tensor, if it is missing or has another shape; std::bad_alloc.
  Linear linear(const std::string& name, std::size_t rows, std::size_t columns, bool biased = false,
                RowOrder order = {}, RowRange range = {});

  /// A vector of `size` floats. Same errors; the tensor must be F32, F16 or BF16.
  Buffer<float> vector(const std::string& name, std::size_t size, RowOrder order = {}, RowRange range = {});
  /// As vector; empty where the file has none.
  Buffer<float> optional_vector(const std::string& name, std::size_t size);

  /// Throws unsupported, naming it, if the file has a tensor that no block asked for.
  void check_all_taken() const;

  /// Puts one stored row of tensor `index` of the file in its place. Any order, any thread.
  void write_row(std::size_t index, std::size_t row, const std::byte* stored) const noexcept;

 private:
  struct Destination {
    std::size_t first, rows;  // of the stored tensor (elements of a vector)
    RowOrder order;
    kernels::PackedMatrix matrix;  // data == nullptr: a vector
    float* vector = nullptr;
  };

  std::size_t require(const std::string& name, std::size_t rows, std::size_t columns) const;

  const formats::TensorFile* file_;
  const kernels::Kernels* kernels_;
  std::vector<std::vector<Destination>> destinations_;  // by tensor
};

}  // namespace heed::nn
