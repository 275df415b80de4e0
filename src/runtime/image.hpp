// Images as the input of a vision model: resampled to its size, with normalized colors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/spec.hpp"

namespace heed::runtime {

/// Rows from the top, four bytes per pixel: red, green, blue and opacity. It is seen on white (images::on_white).
struct Image {
  std::size_t width = 0, height = 0;
  std::span<const std::uint8_t> rgba;
};

/// 3 x image x image floats: planes of red, green and blue. If the spec crops, the image is resampled with a cubic kernel (Keys,
/// IEEE Trans. ASSP 29, 1981, a = -1/2), otherwise it is stretched with a linear one; the kernel is widened to downscale. Throws
/// invalid_argument for an image without pixels, or whose bytes do not match its size.
std::vector<float> prepare(const Image& image, const nn::PatchSpec& spec);

}  // namespace heed::runtime
