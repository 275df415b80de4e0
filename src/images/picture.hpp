// Images in memory, and the limits of their sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heed::images {

/// In pixels.
struct Size {
  std::size_t width = 0, height = 0;

  std::size_t pixels() const noexcept { return width * height; }
  bool operator==(const Size&) const = default;
};

/// Rows from the top, three bytes per pixel: red, green and blue.
struct Picture {
  Size size;
  std::vector<std::uint8_t> rgb;  // size.pixels() * 3

  const std::uint8_t* at(std::size_t x, std::size_t y) const noexcept { return rgb.data() + (y * size.width + x) * 3; }
  std::uint8_t* at(std::size_t x, std::size_t y) noexcept { return rgb.data() + (y * size.width + x) * 3; }
};

/// Limits far beyond any model's input. Sums and products of sizes within them do not overflow.
inline constexpr std::size_t kMostSide = std::size_t{1} << 15, kMostPixels = std::size_t{1} << 27;

/// Throws invalid_argument for an image without pixels or with too many.
void check_size(Size size);

/// A pixel's color on white, with the bits of Pillow's alpha_composite. It depends only on the product of color and opacity, which
/// is all that a browser's canvas keeps of a pixel. So a fully transparent pixel becomes white everywhere, whatever its color was.
constexpr std::uint8_t on_white(std::uint8_t color, std::uint8_t opacity) noexcept {
  const unsigned product = unsigned{color} * opacity + 128;
  return static_cast<std::uint8_t>(255 - opacity + ((product + (product >> 8)) >> 8));
}

/// An image from RGB bytes, or from RGBA bytes, blended with white. Throws invalid_argument as check() does.
Picture picture_of(Size size, std::span<const std::uint8_t> bytes);

/// Throws invalid_argument as check_size() does, and if the bytes do not match the size.
void check(const Picture& picture);

}  // namespace heed::images
