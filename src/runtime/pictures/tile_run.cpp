#include "runtime/pictures/tile_run.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "base/error.hpp"
#include "images/tiles.hpp"
#include "nn/stack.hpp"

namespace heed::runtime {
namespace {

const nn::PictureReader& reader_of(const Model& model) {
  if (const nn::PictureReader* reader = model.reader()) return *reader;
  throw Error(ErrorCode::unsupported, "has no projector: it does not make images readable for a text model",
              model.info().architecture);
}

/// A range of the image along one axis, in pixels.
struct Span {
  double begin, length;
};

Span span_of(std::size_t begin, std::size_t count, std::size_t tile, double shown_begin, double shown_length, std::size_t picture) {
  const auto at = [&](std::size_t pixel) {
    const double place = shown_begin + static_cast<double>(std::min(pixel, tile)) * shown_length / static_cast<double>(tile);
    return std::clamp(place, 0.0, static_cast<double>(picture));
  };
  return {at(begin), at(begin + count) - at(begin)};
}

}  // namespace

TileRun::TileRun(const Model& model)
    : model_(model),
      reader_(reader_of(model)),
      caches_(nn::Stack::cache_layers(spec().stack), within_a_pass(model.info().kv_cache), true) {}

RowGrid TileRun::grid(images::Size tile) const {
  const nn::PatchSpec& patches = spec().patches;
  const bool any_size = patches.positions != nn::PositionTable::in_order;
  if (tile.width == 0 || tile.height == 0 || tile.width % patches.patch != 0 || tile.height % patches.patch != 0 ||
      (!any_size && tile != images::Size{patches.image, patches.image}))
    throw Error(ErrorCode::invalid_argument,
                "is " + std::to_string(tile.width) + " x " + std::to_string(tile.height) + " pixels, which the model does not read",
                "tile");
  const nn::PatchGrid patch_grid = reader_.tower().grid({nullptr, tile.width, tile.height}), lying = reader_.row_grid(patch_grid);
  return {.rows = reader_.rows(patch_grid),
          .columns = std::max<std::size_t>(lying.columns, 1),
          .lines = std::max<std::size_t>(lying.rows, 1)};
}

std::vector<images::Rectangle> TileRun::areas(images::Size tile, const images::Rectangle& shown, images::Size picture) const {
  const nn::VisionSpec& vision = spec();
  const RowGrid lying = grid(tile);
  const std::size_t side = vision.patches.patch * vision.projector.merge, squares = lying.columns * lying.lines;
  const std::size_t line = lying.columns + (lying.rows > squares ? 1 : 0);  // including the row that ends the line
  // A projector that starts at the second row drops the class token, or the first patch if the class token is last.
  const std::size_t skipped = vision.patches.class_token == nn::ClassToken::first ? 0 : vision.projector.first;
  std::vector<images::Rectangle> areas(lying.rows);
  for (std::size_t row = 0; row < lying.rows; ++row) {
    const std::size_t place = row + skipped;
    if (place >= line * lying.lines) continue;
    const Span x = span_of(place % line * side, side, tile.width, shown.x, shown.width, picture.width);
    const Span y = span_of(place / line * side, side, tile.height, shown.y, shown.height, picture.height);
    areas[row] = {x.begin, y.begin, x.length, y.length};
  }
  return areas;
}

std::uint64_t TileRun::bytes(images::Size tile) const {
  rows(tile);
  const nn::PatchGrid grid = reader_.tower().grid({nullptr, tile.width, tile.height});
  const std::size_t tokens = reader_.tower().tokens(grid), threads = model_.pool().threads();
  return nn::Scratch::bytes(reader_.need(grid, threads), threads, model_.kernels()) + caches_.bytes(tokens, tokens);
}

std::vector<float> TileRun::operator()(const images::Picture& tile) {
  images::check(tile);
  const std::size_t count = rows(tile.size);
  const nn::PatchGrid grid = reader_.tower().grid({nullptr, tile.size.width, tile.size.height});
  reader_.tower().check(grid);
  const std::size_t tokens = reader_.tower().tokens(grid), threads = model_.pool().threads();
  try {
    const std::vector<float> pixels = images::normalize(spec().preparation, tile);
    std::vector<float> rows(count * row_width());
    if (!scratch_ || grid.columns != grid_.columns || grid.rows != grid_.rows) {
      scratch_.reset();
      scratch_ = std::make_unique<nn::Scratch>(reader_.need(grid, threads), threads, model_.kernels());
      grid_ = grid;
    }
    nn::KvCache cache(caches_);
    cache.make_room(tokens);
    nn::Segment segment{.cache = cache, .count = tokens};
    nn::Pass pass{
        .kernels = model_.kernels(), .pool = model_.pool(), .scratch = *scratch_, .segments = {&segment, 1}, .tokens = tokens};
    model_.pool().use(threads);
    reader_({pixels.data(), tile.size.width, tile.size.height}, pass, rows.data());
    return rows;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                "not enough memory for " + std::to_string(tile.size.width) + " x " + std::to_string(tile.size.height) + " pixels",
                "image");
  }
}

}  // namespace heed::runtime
