// Pictures as a vision model takes them: resampled to its size, and colours as it knows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/spec.hpp"

namespace heed::runtime {

/// Rows from the top, four bytes a pixel: red, green, blue, and one that is ignored.
struct Image {
  std::size_t width = 0, height = 0;
  std::span<const std::uint8_t> rgba;
};

/// 3 x image x image floats, planes of red, green and blue. Resampled with a cubic kernel (Keys, IEEE Trans. ASSP 29, 1981,
/// a = -1/2) where the picture is cropped, and a linear one where it is squeezed, widened where the picture shrinks. Throws
/// invalid_argument for a picture without pixels, or whose bytes do not match its size.
std::vector<float> prepare(const Image& image, const nn::PatchSpec& spec);

}  // namespace heed::runtime
