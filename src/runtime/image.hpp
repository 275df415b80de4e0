// Images as callers have them, for vision models that read them by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "images/whole.hpp"

namespace heed::runtime {

/// Rows from the top, four bytes per pixel: red, green, blue and opacity. It is seen on white (images::on_white).
struct Image {
  std::size_t width = 0, height = 0;
  std::span<const std::uint8_t> rgba;
};

/// What the tower reads. Throws invalid_argument as images::picture_of().
inline std::vector<float> prepare(const Image& image, const images::Preparation& preparation) {
  return images::normalized_whole(preparation, images::picture_of({image.width, image.height}, image.rgba));
}

}  // namespace heed::runtime
