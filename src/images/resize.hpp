// Resizing of 8-bit pictures with the bits of Pillow (its Resample.c), for which processors of vision-language models were written.
#pragma once

#include "images/picture.hpp"

namespace heed::images {

enum class Filter : std::uint8_t {
  bilinear,
  bicubic,  // Keys, IEEE Trans. ASSP 29, 1981, with a = -1/2
  lanczos,  // Duchon, J. Appl. Meteorology 18, 1979, with three lobes
};

/// The picture stretched to a size: first each row, rounded to bytes, then each column. Filters are widened to shrink. Both sizes must
/// be within the limits of check_size. Throws std::bad_alloc.
Picture resize(const Picture& picture, Size to, Filter filter);

}  // namespace heed::images
