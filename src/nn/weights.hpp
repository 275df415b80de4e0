// Hands a model's tensors to its blocks: a block requests a tensor by name and shape, and gets memory that is filled as the file
// streams in. Differences between files (fused matrices, RoPE row order) end here.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/tensor_file.hpp"
#include "kernels/kernels.hpp"
#include "nn/linear.hpp"
#include "nn/lookup_table.hpp"
#include "nn/spec.hpp"
#include "nn/stored_matrix.hpp"
#include "tensor/buffer.hpp"

namespace heed::nn {

class Weights {
 public:
  /// Both arguments must outlive this object.
  Weights(const formats::TensorFile& file, const kernels::Kernels& kernels);

  const kernels::Kernels& kernels() const noexcept { return *kernels_; }
  bool contains(std::string_view name) const noexcept { return file_->find(name) != nullptr; }
  /// The number of rows of `name`: the product of all dimensions but the last; 0 if there is no such tensor.
  std::size_t rows(std::string_view name) const noexcept;
  /// The first dimension of `name`; 0 if there is no such tensor.
  std::size_t outputs(std::string_view name) const noexcept;

  /// `name`.weight as rows x columns, and `name`.bias if present (or required). A tensor of more dimensions is read as a
  /// matrix: its first dimensions count as rows. If rows are taken in runs, there is no bias. `name`.scale, which NVFP4 has, is
  /// one number, or one for each matrix of a tensor that holds several. Throws invalid_file, naming the tensor, if it is
  /// missing or has another shape; std::bad_alloc.
  Linear linear(const std::string& name, std::size_t rows, std::size_t columns, bool biased = false, RowOrder order = {},
                RowRange range = {});

  /// The tensor `name` itself as rows x columns, without a bias. Same errors.
  Linear matrix(const std::string& name, std::size_t rows, std::size_t columns);

  /// `count` matrices of rows x columns stacked in one tensor, or a range of rows of each.
  std::vector<Linear> linears(const std::string& name, std::size_t count, std::size_t rows, std::size_t columns,
                              bool biased = false, RowRange of_each = {});

  /// `name`.weight for a lookup table. Same errors.
  LookupTable lookup_table(const std::string& name, std::size_t rows, std::size_t columns);

  /// A vector of `size` floats, or a small table, row by row. Same errors; the tensor must be F32, F16 or BF16.
  Buffer<float> vector(const std::string& name, std::size_t size, RowOrder order = {});
  Buffer<float> table(const std::string& name, std::size_t rows, std::size_t columns, RowOrder order = {});
  /// As vector(); empty if the file lacks the tensor.
  Buffer<float> optional_vector(const std::string& name, std::size_t size, RowOrder order = {});

  /// From now on, matrices get the bounds on inputs and outputs that the file has: NAME.input_min, and so on.
  void read_clamps() noexcept { reads_clamps_ = true; }
  /// Declares the use of a tensor's matrices, if it is not MatrixUse::product.
  void mark(std::string_view name, MatrixUse use);
  /// The tensors whose rows were handed out as matrices, in the order of the file.
  std::vector<StoredMatrix> stored_matrices() const;
  /// The tensors that were handed out as floats.
  std::vector<StoredVector> stored_vectors() const;

  /// Ignores tensors with this name prefix.
  void ignore(std::string_view prefix);

  /// Throws unsupported, naming the tensor, if the file has one that no block requested and that is not ignored.
  void check_all_requested() const;

  /// Values per row of tensor `index` of the file, as the block that requested it counts: trailing dimensions may be one.
  std::size_t columns(std::size_t index) const noexcept { return places_[index].columns; }

  /// Stores one row of tensor `index` of the file. In any order, from any thread.
  void write_row(std::size_t index, std::size_t row, const std::byte* stored) const noexcept;

 private:
  struct MatrixPlace {
    StoredMatrix::Part part;
    kernels::PackedMatrix matrix;
  };
  struct VectorPlace {
    std::size_t first, size;  // elements of the stored tensor
    RowOrder order;
    float* values;
  };
  struct Places {
    std::size_t columns = 0;            // per row, as the requester counts
    std::byte* rows = nullptr;          // memory of a table that keeps the stored format
    std::vector<MatrixPlace> matrices;  // sorted by first row, not overlapping
    std::vector<VectorPlace> vectors;
    MatrixUse use = MatrixUse::product;
    bool left = false;
  };

  std::size_t require(const std::string& name, std::size_t rows, std::size_t columns);
  Linear pack(std::size_t index, std::size_t rows, std::size_t columns, RowOrder order, RowRange range);
  std::unique_ptr<Clamp> clamp_of(const std::string& name);
  Buffer<float> scale_of(const std::string& name, std::size_t stored_rows, std::size_t first, std::size_t rows);
  Buffer<float> floats(std::size_t index, std::size_t size, RowOrder order, std::size_t first);

  const formats::TensorFile* file_;
  const kernels::Kernels* kernels_;
  std::vector<Places> places_;  // by tensor
  bool reads_clamps_ = false;
  std::uint32_t matrices_ = 0;  // number handed out so far
};

}  // namespace heed::nn
