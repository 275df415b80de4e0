// Images as callers pass them, for vision models that embed or classify images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "images/whole.hpp"

namespace heed::runtime {

/// Rows from the top, four bytes per pixel: red, green, blue and opacity. Transparent parts are blended with white
/// (images::on_white).
struct Image {
  std::size_t width = 0, height = 0;
  std::span<const std::uint8_t> rgba;
};

/// The input of the vision tower. Throws invalid_argument as images::picture_of() does.
inline std::vector<float> prepare(const Image& image, const images::Preparation& preparation) {
  return images::normalized_whole(preparation, images::picture_of({image.width, image.height}, image.rgba));
}

}  // namespace heed::runtime
