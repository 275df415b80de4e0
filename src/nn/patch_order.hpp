// The order of patches that attend only within their group, a square of the grid (arXiv:2502.13923). A pass has them group by
// group, so that the positions of each group are consecutive.
#pragma once

#include <algorithm>

#include "nn/patch_positions.hpp"

namespace heed::nn {

/// order[i]: the index, row by row, of the patch that is token i; coordinates[i]: its row and column; groups[i]: the tokens of its
/// group. `window`: patches per side of a group, possibly fewer at the right and at the bottom; 0: all patches are one group, by
/// rows.
inline void order_patches(PatchGrid grid, std::size_t window, std::size_t* order, Coordinates* coordinates,
                          PositionRange* groups) noexcept {
  const std::size_t across = window == 0 ? std::max<std::size_t>(grid.columns, 1) : window;
  const std::size_t down = window == 0 ? std::max<std::size_t>(grid.rows, 1) : window;
  std::size_t t = 0;
  for (std::size_t top = 0; top < grid.rows; top += down)
    for (std::size_t left = 0; left < grid.columns; left += across) {
      const std::size_t right = std::min(left + across, grid.columns), bottom = std::min(top + down, grid.rows);
      const PositionRange group{t, t + (right - left) * (bottom - top)};
      for (std::size_t row = top; row < bottom; ++row)
        for (std::size_t column = left; column < right; ++column, ++t) {
          order[t] = row * grid.columns + column;
          coordinates[t] = {{0, row, column}};
          groups[t] = group;
        }
    }
}

}  // namespace heed::nn
