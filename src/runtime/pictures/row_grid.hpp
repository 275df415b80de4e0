// The rows that a tile of a picture becomes, and the places that they take in a text.
#pragma once

#include <algorithm>
#include <cstddef>

#include "nn/pass.hpp"

namespace heed::runtime {

struct RowGrid {
  std::size_t rows = 0;                // in all
  std::size_t columns = 0, lines = 0;  // of these, as a grid; the rows that end lines do not count

  /// Positions that it takes. `axes`: the text model places pictures on several axes (arXiv:2409.12191).
  std::size_t positions(bool axes) const noexcept { return axes ? std::max(columns, lines) : rows; }
  /// Where row i is, on several axes, if the tile begins at `position`.
  nn::Coordinates coordinates(std::size_t i, std::size_t position) const noexcept {
    return {{position, position + i / columns, position + i % columns}};
  }
};

}  // namespace heed::runtime
