// Reading PNG files (https://www.w3.org/TR/png-3/), by libpng.
#pragma once

#include <string>

#include "images/picture.hpp"

namespace heed::cli {

/// The file as 8-bit RGB: opacity is dropped, as llama.cpp's programs do (the package sees such pixels on white), gray is repeated,
/// and of 16 bits the upper 8 are kept. Throws io for a file that cannot be opened, and invalid_argument for one that is not a
/// sound PNG file or is larger than any model reads.
images::Picture read_png(const std::string& path);

}  // namespace heed::cli
