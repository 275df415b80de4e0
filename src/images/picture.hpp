// Pictures in memory, and which sizes they may have.
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

/// Far more than any model reads: sums and products of smaller sizes do not overflow.
inline constexpr std::size_t kMostSide = std::size_t{1} << 15, kMostPixels = std::size_t{1} << 27;

/// Throws invalid_argument for a picture without pixels or with too many.
void check_size(Size size);

/// A picture of RGB or, without their opacity, RGBA bytes. Throws invalid_argument as check() does.
Picture picture_of(Size size, std::span<const std::uint8_t> bytes);

/// The same, also for bytes that do not match the size.
void check(const Picture& picture);

}  // namespace heed::images
