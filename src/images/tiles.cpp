#include "images/tiles.hpp"

#include <algorithm>

namespace heed::images {
namespace {

/// The picture in its shape, as large as fits into `size`, in the middle of a canvas of the padding's color.
Picture fit(const Preparation& preparation, const Picture& picture, Size size) {
  if (picture.size == size) return picture;
  const Size scaled = fitted_size(picture.size, size);
  const Picture inner = resize(picture, scaled, preparation.filter);
  Picture canvas{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  for (std::size_t i = 0; i < canvas.rgb.size(); ++i) canvas.rgb[i] = preparation.padding[i % 3];
  const std::size_t left = (size.width - scaled.width) / 2, top = (size.height - scaled.height) / 2;
  for (std::size_t y = 0; y < scaled.height; ++y) std::copy_n(inner.at(0, y), scaled.width * 3, canvas.at(left, top + y));
  return canvas;
}

Picture cut(const Picture& canvas, Size size, std::size_t left, std::size_t top) {
  Picture tile{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  for (std::size_t y = 0; y < size.height; ++y) std::copy_n(canvas.at(left, top + y), size.width * 3, tile.at(0, y));
  return tile;
}

}  // namespace

std::vector<Picture> tiles_of(const Preparation& preparation, const Picture& picture) {
  return tiles_of(preparation, layout_of(preparation, picture.size), picture);
}

std::vector<Picture> tiles_of(const Preparation& preparation, const Layout& layout, const Picture& picture) {
  check(picture);
  const Picture& source = picture;
  const Picture first = layout.first ? resize(source, *layout.first, preparation.filter) : Picture{};
  const Picture& whole = layout.first ? first : source;
  const Picture canvas = layout.fitted ? fit(preparation, whole, layout.canvas) : resize(whole, layout.canvas, preparation.filter);
  std::vector<Picture> tiles;
  const Size tile = layout.tile();
  for (std::size_t row = 0; row < layout.rows; ++row)
    for (std::size_t column = 0; column < layout.columns; ++column)
      tiles.push_back(cut(canvas, tile, column * tile.width, row * tile.height));
  if (layout.overview) tiles.push_back(resize(layout.of_canvas ? canvas : source, *layout.overview, preparation.filter));
  return tiles;
}

std::vector<float> normalize(const Preparation& preparation, const Picture& tile) {
  const std::size_t pixels = tile.size.pixels();
  std::vector<float> planes(pixels * 3);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < pixels; ++i)
      planes[c * pixels + i] = (static_cast<float>(tile.rgb[i * 3 + c]) / 255.0f - preparation.mean[c]) / preparation.deviation[c];
  return planes;
}

}  // namespace heed::images
