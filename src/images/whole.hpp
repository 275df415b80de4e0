// An image as the one tile of a model that reads images by themselves (Whole), in floats from the first pass to the last.
#pragma once

#include <vector>

#include "images/preparation.hpp"

namespace heed::images {

/// As normalize() of tiles.hpp: planes of red, green and blue, 3 x side x side. The method of the preparation must be Whole. Filters are
/// widened to shrink. Throws invalid_argument as check() does.
std::vector<float> normalized_whole(const Preparation& preparation, const Picture& picture);

}  // namespace heed::images
