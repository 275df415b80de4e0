// Which tiles an image becomes, without its pixels; and fewer or smaller ones, where bounds are lowered.
#pragma once

#include <optional>
#include <vector>

#include "images/preparation.hpp"

namespace heed::images {

/// In pixels, or parts of them.
struct Rectangle {
  double x = 0, y = 0, width = 0, height = 0;

  bool operator==(const Rectangle&) const = default;
};

struct Layout {
  std::optional<Size> first = {};  // the image is stretched to this size before anything else
  Size canvas;                     // what tiles are cut from
  bool fitted = false;             // the image keeps its shape on it and is padded; otherwise it is stretched
  std::size_t columns = 1, rows = 1;
  std::optional<Size> overview = {};  // of one more tile, the last one
  bool of_canvas = false;             // made of the canvas, not of the image itself

  Size tile() const noexcept { return {canvas.width / columns, canvas.height / rows}; }
  /// The tiles by rows, then the overview.
  std::vector<Size> tiles() const;
  /// What each of them shows of the image, in its pixels; where there is padding, it reaches beyond the image.
  std::vector<Rectangle> areas(Size picture) const;
};

/// Throws invalid_argument for an image that has no pixels or too many, at first or when enlarged.
Layout layout_of(const Preparation& preparation, Size picture);

/// The largest size of the picture's shape that a canvas has room for. It is placed in the middle.
Size fitted_size(Size picture, Size canvas);

/// The size, a multiple of the unit, that an image gets.
Size own_size(const OwnSize& rule, Size picture);

/// The next lower bound under which an image of this size has fewer tiles, or tiles of fewer pixels; nullopt if there is none. Each
/// family ends where its own bounds do:
/// - Square and Whole: at once.
/// - OwnSize: the most pixels, not below the least.
/// - LongestEdge: the edge, a tile at a time, down to one tile and the overview.
/// - MostPixels: the most tiles of a grid; at last one tile, as for small images.
/// - NearestShape: the same, and at last the overview alone, as for small images, whose own bound is then lowered.
std::optional<Preparation> coarser(const Preparation& preparation, Size picture);

}  // namespace heed::images
