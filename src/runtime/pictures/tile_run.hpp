// Runs the vision tower and the projector of an mmproj file: turns a tile of an image into rows for the text model.
#pragma once

#include <memory>
#include <vector>

#include "images/layout.hpp"
#include "nn/kv_cache.hpp"
#include "nn/scratch.hpp"
#include "nn/picture_reader.hpp"
#include "runtime/model.hpp"
#include "runtime/pictures/row_grid.hpp"

namespace heed::runtime {

class TileRun {
 public:
  /// Throws unsupported for a model without a projector. The model must outlive this object.
  explicit TileRun(const Model& model);

  const nn::VisionSpec& spec() const noexcept { return reader_.tower().spec(); }
  std::size_t row_width() const noexcept { return reader_.row_width(); }

  /// The rows of a tile of this size. Throws invalid_argument for a size that the model's preparation does not produce.
  RowGrid grid(images::Size tile) const;
  std::size_t rows(images::Size tile) const { return grid(tile).rows; }

  /// For each row, the rectangle of the image, in its pixels, that its patches cover, given the area that the tile shows
  /// (images::Layout). Rectangles are clipped to the image: a row of padding has an empty one, and so do line ends and a class
  /// token. Resizing mixes in a few pixels around each. Throws as grid() does.
  std::vector<images::Rectangle> areas(images::Size tile, const images::Rectangle& shown, images::Size picture) const;

  /// The memory to run a tile of this size, in addition to its pixels and rows. Throws as rows() does.
  std::uint64_t bytes(images::Size tile) const;

  /// rows(tile.size) x row_width() floats. Throws invalid_argument as rows() does, and for a tile with more patches on a side than the
  /// model has positions for; out_of_memory. Keeps the memory for the next tile.
  std::vector<float> operator()(const images::Picture& tile);

 private:
  const Model& model_;
  const nn::PictureReader& reader_;
  nn::KvCachePool caches_;
  std::unique_ptr<nn::Scratch> scratch_;
  nn::PatchGrid grid_;  // the grid that the scratch memory was allocated for
};

}  // namespace heed::runtime
