// Position embeddings of patches: rows of a learned table, which is interpolated for grids of other sizes.
#pragma once

#include <string>

#include "nn/pass.hpp"
#include "nn/spec.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

/// The patches of an image.
struct PatchGrid {
  std::size_t columns = 0, rows = 0;

  std::size_t count() const noexcept { return columns * rows; }
};

class PatchPositions {
 public:
  /// Takes `name`.weight: `tokens` x width, a square of rows, or two tables with equally many rows. Throws invalid_file for another
  /// shape.
  PatchPositions(PositionTable kind, std::size_t tokens, std::size_t width, const std::string& name, Weights& weights);

  /// The maximum number of columns and rows of a grid; 0: no limit.
  std::size_t most() const noexcept { return kind_ == PositionTable::column_and_row ? side_ : 0; }
  static ScratchNeed need(std::size_t width) noexcept { return ScratchNeed().allocate<float>(width); }

  /// x += the position embedding of token t: row t of an in_order table, otherwise that of the patch at (column, row). scratch:
  /// width.
  void add(std::size_t t, std::size_t column, std::size_t row, PatchGrid grid, float* x, float* scratch, Pass& pass) const noexcept;

 private:
  void add_row(std::size_t index, float factor, float* x, float* scratch, Pass& pass) const noexcept;

  PositionTable kind_;
  std::size_t side_ = 0;  // side of the square, or rows of one of two tables
  std::size_t width_;
  Linear table_;
};

}  // namespace heed::nn
