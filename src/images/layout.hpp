// The tiles of an image, computed from its size only; and layouts with fewer or smaller tiles, for token limits.
#pragma once

#include <optional>
#include <vector>

#include "images/preparation.hpp"

namespace heed::images {

/// In pixels or fractions of them.
struct Rectangle {
  double x = 0, y = 0, width = 0, height = 0;

  bool operator==(const Rectangle&) const = default;
};

struct Layout {
  std::optional<Size> first = {};  // the image is stretched to this size first
  Size canvas;                     // the size of the image that is cut into tiles
  bool fitted = false;             // the image keeps its aspect ratio and is padded; otherwise, it is stretched
  std::size_t columns = 1, rows = 1;
  std::optional<Size> overview = {};  // the size of an additional last tile, which shows the whole image
  bool of_canvas = false;             // the overview is made from the canvas, not from the image itself

  Size tile() const noexcept { return {canvas.width / columns, canvas.height / rows}; }
  /// The tiles by rows, then the overview.
  std::vector<Size> tiles() const;
  /// The area of the image that each tile shows, in its pixels; padding reaches beyond the image.
  std::vector<Rectangle> areas(Size picture) const;
};

/// Throws invalid_argument for an image without pixels or with too many, before or after enlargement.
Layout layout_of(const Preparation& preparation, Size picture);

/// The largest size with the image's aspect ratio that fits on a canvas. The image is centered.
Size fitted_size(Size picture, Size canvas);

/// The size of an image's tile, a multiple of the unit.
Size own_size(const OwnSize& rule, Size picture);

/// The preparation with the next lower bound, under which an image of this size has fewer tiles, or tiles of fewer pixels; nullopt
/// if there is none. The bound depends on the method:
/// - Square and Whole: none.
/// - OwnSize: the maximum number of pixels, down to the minimum.
/// - LongestEdge: the edge, a tile at a time, down to one tile and the overview.
/// - MostPixels: the maximum number of tiles in a grid, down to a single tile, as for small images.
/// - NearestShape: the maximum number of tiles in a grid, down to none; then the overview's bounds, as for OwnSize.
std::optional<Preparation> coarser(const Preparation& preparation, Size picture);

}  // namespace heed::images
