// From a picture to the tiles that a vision tower reads.
#pragma once

#include "images/layout.hpp"

namespace heed::images {

/// The tiles of layout_of(preparation, picture.size), in its order. Throws what that throws, invalid_argument for bytes that do not match
/// the size, and std::bad_alloc.
std::vector<Picture> tiles_of(const Preparation& preparation, const Picture& picture);

/// Those of a layout of the picture under other bounds.
std::vector<Picture> tiles_of(const Preparation& preparation, const Layout& layout, const Picture& picture);

/// (value / 255 - mean) / deviation of each channel: planes of red, green and blue, 3 x height x width.
std::vector<float> normalize(const Preparation& preparation, const Picture& tile);

}  // namespace heed::images
