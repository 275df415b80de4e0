// Maps the rows of a file's matrices to their place after loading: adapters, whose tensors refer to the file, use it to find the
// matrices that blocks multiply by.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernels.hpp"

namespace heed::nn {

/// The new place of a stored row. The default keeps the order; `halves_from_interleaved` sorts the `rotary` rows from `first` on of
/// each head so that pairs (2i, 2i + 1) become (i, i + rotary / 2); `halves_from_quarters` exchanges the second and the third
/// quarter of the first `rotary` rows of each head, so that pairs of neighboring quarters become pairs of halves; `by_part` divides
/// rows into equal groups, each with parts of these sizes (the last size repeats), and puts the first parts of all groups first,
/// then the second ones, and so on: with parts of one row, this transposes a table.
struct RowOrder {
  static constexpr std::size_t kMostSizes = 3;
  std::size_t head_dim = 0, first = 0, rotary = 0;
  bool quarters = false;
  std::size_t groups = 0, group = 0;  // by_part: the number of groups, and the rows of each
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

/// Rows [first, first + rows) of a stored matrix, or all rows; or, from `first` on, the first `run` of every `period` rows.
struct RowRange {
  std::size_t first = 0, of = 0;  // `of`: rows of the stored matrix; 0: it has only the requested rows
  std::size_t run = 0, period = 0;

  /// The index of a stored row among the requested `rows`; `rows` if the row was not requested.
  std::size_t index(std::size_t stored, std::size_t rows) const noexcept {
    if (stored < first) return rows;
    const std::size_t i = stored - first;
    if (period == 0) return std::min(i, rows);
    return i % period < run ? std::min(i / period * run + i % period, rows) : rows;
  }
};

/// How the model uses a tensor's rows: as a matrix of products, as embeddings (which may be the head, too), or otherwise.
enum class MatrixUse : std::uint8_t { product, embedding, other };

/// A tensor of the file, and the matrices (nn/linear.hpp) that contain its rows.
struct StoredMatrix {
  struct Part {
    std::uint32_t id = 0;  // of the Linear
    std::size_t rows = 0;
    RowRange range = {};  // of the stored tensor
    RowOrder order = {};  // of the rows in the Linear
  };
  std::string name;
  std::vector<std::size_t> shape;  // as in the file, outermost first
  std::size_t columns = 0;         // of the Linears
  MatrixUse use = MatrixUse::product;
  std::vector<Part> parts;                         // sorted by first row
  std::vector<kernels::PackedMatrix> packed = {};  // the packed matrices of the parts' Linears
};

/// A tensor of the file that was read as floats, whole or in parts.
struct StoredVector {
  struct Part {
    std::size_t first = 0, size = 0;  // elements of the stored tensor
    RowOrder order = {};
    const float* values = nullptr;
  };
  std::string name;
  std::vector<std::size_t> shape;  // as in the file, outermost first
  std::vector<Part> parts;
};

}  // namespace heed::nn
