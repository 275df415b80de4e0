#include "runtime/pictures/tile_run.hpp"

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

}  // namespace

TileRun::TileRun(const Model& model)
    : model_(model), reader_(reader_of(model)), caches_(nn::Stack::cache_layers(spec().stack), model.info().kv_cache, true) {}

std::size_t TileRun::rows(images::Size tile) const {
  const nn::PatchSpec& patches = spec().patches;
  const bool any_size = patches.positions != nn::PositionTable::in_order;
  if (tile.width == 0 || tile.height == 0 || tile.width % patches.patch != 0 || tile.height % patches.patch != 0 ||
      (!any_size && tile != images::Size{patches.image, patches.image}))
    throw Error(ErrorCode::invalid_argument,
                "is " + std::to_string(tile.width) + " x " + std::to_string(tile.height) + " pixels, which the model does not read",
                "tile");
  return reader_.rows(reader_.tower().grid({nullptr, tile.width, tile.height}));
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
      scratch_ = std::make_unique<nn::Scratch>(reader_.need(grid, threads), threads);
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
