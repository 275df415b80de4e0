// Gives a model's tensors to its blocks: a block requests a tensor by name and shape, and gets memory that fills as the file
// streams in. Differences between files (fused matrices, RoPE row order) end here.
#pragma once

#include <algorithm>
#include <array>
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
#include "tensor/buffer.hpp"

namespace heed::nn {

/// Where a stored row goes. The default keeps the order; `halves_from_interleaved` sorts the `rotary` rows from `first` on of
/// each head so that pairs (2i, 2i + 1) become (i, i + rotary / 2); `halves_from_quarters` exchanges the second and the third quarter
/// of the first `rotary` rows of each head, so that pairs of neighboring quarters do the same; `by_part` divides rows into equal groups, each with parts
/// of these sizes (the last size repeats), and puts the first parts of all groups first, then the second ones, and so on: with
/// parts of one row, this transposes a table.
struct RowOrder {
  static constexpr std::size_t kMostSizes = 3;
  std::size_t head_dim = 0, first = 0, rotary = 0;
  bool quarters = false;
  std::size_t groups = 0, group = 0;  // and rows of each
  std::array<std::size_t, kMostSizes> sizes = {};

  static RowOrder halves_from_interleaved(std::size_t head_dim, std::size_t first, std::size_t rotary) {
    return {head_dim, first, rotary};
  }
  static RowOrder halves_from_quarters(std::size_t head_dim, std::size_t rotary) { return {head_dim, 0, rotary, true}; }
  static RowOrder by_part(std::size_t groups, std::size_t group, std::array<std::size_t, kMostSizes> sizes) {
    return {0, 0, 0, false, groups, group, sizes};
  }
  std::size_t operator()(std::size_t row) const noexcept {
    if (groups != 0) return in_parts(row);
    if (rotary == 0 || row % head_dim < first || row % head_dim >= first + rotary) return row;
    const std::size_t i = row % head_dim - first;
    if (quarters) {
      const std::size_t quarter = rotary / 4, number = i / quarter;
      return number == 1 ? row + quarter : number == 2 ? row - quarter : row;
    }
    return row - i + i / 2 + i % 2 * (rotary / 2);
  }

 private:
  std::size_t in_parts(std::size_t row) const noexcept {
    const std::size_t in_group = row % group;
    std::size_t part = 0, before = 0;
    while (in_group >= before + sizes[part]) {
      before += sizes[part];
      if (part + 1 < kMostSizes && sizes[part + 1] != 0) ++part;
    }
    return groups * before + row / group * sizes[part] + in_group - before;
  }
};

/// Rows [first, first + rows) of a stored matrix, or all rows; or runs of them, one in every `period` rows.
struct RowRange {
  std::size_t first = 0, of = 0;  // `of`: rows of the stored matrix; 0: it has only the requested rows
  std::size_t run = 0, period = 0;

  /// The index of a stored row among the requested `rows`, or `rows`.
  std::size_t index(std::size_t stored, std::size_t rows) const noexcept {
    if (stored < first) return rows;
    const std::size_t i = stored - first;
    if (period == 0) return std::min(i, rows);
    return i % period < run ? std::min(i / period * run + i % period, rows) : rows;
  }
};

class Weights {
 public:
  /// Both arguments must outlive this object.
  Weights(const formats::TensorFile& file, const kernels::Kernels& kernels);

  const kernels::Kernels& kernels() const noexcept { return *kernels_; }
  bool contains(std::string_view name) const noexcept { return file_->find(name) != nullptr; }
  /// Rows of `name`, all dimensions but the last; 0 if there is no such tensor.
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

  /// `count` matrices of rows x columns stacked in one tensor; or such a range of each of them.
  std::vector<Linear> linears(const std::string& name, std::size_t count, std::size_t rows, std::size_t columns,
                              bool biased = false, RowRange of_each = {});

  /// `name`.weight for a lookup table. Same errors.
  LookupTable lookup_table(const std::string& name, std::size_t rows, std::size_t columns);

  /// A vector of `size` floats, or a small table, row by row. Same errors; the tensor must be F32, F16 or BF16.
  Buffer<float> vector(const std::string& name, std::size_t size, RowOrder order = {});
  Buffer<float> table(const std::string& name, std::size_t rows, std::size_t columns, RowOrder order = {});
  /// As vector; empty if the file has none.
  Buffer<float> optional_vector(const std::string& name, std::size_t size, RowOrder order = {});

  /// From now on, matrices have the bounds of their inputs and outputs that the file has: NAME.input_min, and so on.
  void read_clamps() noexcept { reads_clamps_ = true; }

  /// Tensors with this name prefix are not read.
  void ignore(std::string_view prefix);

  /// Throws unsupported, naming the tensor, if the file has one that no block requested and that is not ignored.
  void check_all_requested() const;

  /// Values in a row of tensor `index` of the file, as seen by the block that requested it: trailing dimensions may be one.
  std::size_t columns(std::size_t index) const noexcept { return places_[index].columns; }

  /// Stores one row of tensor `index` of the file in its place. In any order, from any thread.
  void write_row(std::size_t index, std::size_t row, const std::byte* stored) const noexcept;

 private:
  struct MatrixPlace {
    RowRange range;  // of the stored tensor
    std::size_t rows;
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
    std::byte* rows = nullptr;          // of a table that keeps them as they are stored
    std::vector<MatrixPlace> matrices;  // by first row, not overlapping
    std::vector<VectorPlace> vectors;
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
};

}  // namespace heed::nn
