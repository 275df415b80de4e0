// The rows of a tile or of a part of a sound, and their positions in a text.
#pragma once

#include <algorithm>
#include <cstddef>

#include "nn/pass.hpp"

namespace heed::runtime {

struct RowGrid {
  std::size_t rows = 0;                // the number of rows
  std::size_t columns = 0, lines = 0;  // of the grid that the rows form, without rows that end a line
  bool in_time = false;                // whether these are the rows of a sound, which form no grid

  /// The number of positions that the rows occupy. `axes`: the text model positions images on several axes (arXiv:2409.12191).
  std::size_t positions(bool axes) const noexcept { return axes && !in_time ? std::max(columns, lines) : rows; }
  /// The coordinates of row i on several axes if the tile begins at `position`.
  nn::Coordinates coordinates(std::size_t i, std::size_t position) const noexcept {
    if (in_time) return {{position + i, position + i, position + i, position + i}};
    return {{position, position + i / columns, position + i % columns}};
  }
};

}  // namespace heed::runtime
