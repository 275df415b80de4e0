#include "images/tiles.hpp"

#include <algorithm>
#include <utility>

namespace heed::images {
namespace {

/// An image centered on a canvas of the padding's color.
Picture padded(const Preparation& preparation, Picture inner, Size size) {
  if (inner.size == size) return inner;
  Picture canvas{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  for (std::size_t i = 0; i < canvas.rgb.size(); ++i) canvas.rgb[i] = preparation.padding[i % 3];
  const std::size_t left = (size.width - inner.size.width) / 2, top = (size.height - inner.size.height) / 2;
  for (std::size_t y = 0; y < inner.size.height; ++y) std::copy_n(inner.at(0, y), inner.size.width * 3, canvas.at(left, top + y));
  return canvas;
}

Picture cut(const Picture& canvas, Size size, std::size_t left, std::size_t top) {
  Picture tile{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  for (std::size_t y = 0; y < size.height; ++y) std::copy_n(canvas.at(left, top + y), size.width * 3, tile.at(0, y));
  return tile;
}

}  // namespace

TileMaker::TileMaker(const Preparation& preparation, Layout layout, const Picture& picture)
    : preparation_(preparation), layout_(layout), picture_(picture) {
  check(picture);
  begin(Stage::first);
}

void TileMaker::begin(Stage stage) {
  stage_ = stage;
  const Filter filter = preparation_.filter;
  if (stage == Stage::first) {
    if (!layout_.first) return begin(Stage::canvas);
    resizing_.emplace(picture_, *layout_.first, filter);
  } else if (stage == Stage::canvas) {
    const Picture& whole = layout_.first ? first_ : picture_;
    resizing_.emplace(whole, layout_.fitted ? fitted_size(whole.size, layout_.canvas) : layout_.canvas, filter);
  } else if (stage == Stage::overview) {
    if (!layout_.overview) return begin(Stage::none);
    resizing_.emplace(layout_.of_canvas ? canvas_ : picture_, *layout_.overview, filter);
  }
}

void TileMaker::step() {
  if (!resizing_->done()) return resizing_->step();
  finish(resizing_->take());
}

void TileMaker::finish(Picture made) {
  if (stage_ == Stage::first) {
    first_ = std::move(made);
    return begin(Stage::canvas);
  }
  if (stage_ == Stage::overview) {
    tiles_.push_back(std::move(made));
    return begin(Stage::none);
  }
  canvas_ = layout_.fitted ? padded(preparation_, std::move(made), layout_.canvas) : std::move(made);
  const Size tile = layout_.tile();
  for (std::size_t row = 0; row < layout_.rows; ++row)
    for (std::size_t column = 0; column < layout_.columns; ++column)
      tiles_.push_back(cut(canvas_, tile, column * tile.width, row * tile.height));
  begin(Stage::overview);
}

std::vector<Picture> tiles_of(const Preparation& preparation, const Picture& picture) {
  return tiles_of(preparation, layout_of(preparation, picture.size), picture);
}

std::vector<Picture> tiles_of(const Preparation& preparation, const Layout& layout, const Picture& picture) {
  TileMaker maker(preparation, layout, picture);
  while (!maker.done()) maker.step();
  return maker.take();
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
