// Which tiles a picture becomes, without its pixels.
#pragma once

#include <optional>
#include <vector>

#include "images/preparation.hpp"

namespace heed::images {

struct Layout {
  std::optional<Size> first = {};  // the picture is stretched to this size before anything else
  Size canvas;                     // what tiles are cut from
  bool fitted = false;             // the picture keeps its shape on it and is padded; otherwise it is stretched
  std::size_t columns = 1, rows = 1;
  std::optional<Size> overview = {};  // of one more tile, the last one
  bool of_canvas = false;             // made of the canvas, not of the picture itself

  Size tile() const noexcept { return {canvas.width / columns, canvas.height / rows}; }
  /// The tiles by rows, then the overview.
  std::vector<Size> tiles() const;
};

/// Throws invalid_argument for a picture that has no pixels or too many, at first or when enlarged.
Layout layout_of(const Preparation& preparation, Size picture);

/// The size, a multiple of the unit, that a picture gets.
Size own_size(const OwnSize& rule, Size picture);

}  // namespace heed::images
