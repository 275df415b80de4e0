// An image as the single tile of a model that embeds or classifies images (Whole), in floats throughout.
#pragma once

#include <vector>

#include "images/preparation.hpp"

namespace heed::images {

/// As normalize() of tiles.hpp: planes of red, green and blue, 3 x side x side. The method of the preparation must be Whole. To
/// shrink, filters are widened. Throws invalid_argument as check() does.
std::vector<float> normalized_whole(const Preparation& preparation, const Picture& picture);

}  // namespace heed::images
