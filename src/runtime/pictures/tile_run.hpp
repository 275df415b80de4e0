// Runs the vision tower and the projector of a file that belongs to a text model: a tile of a picture to rows that the text model reads.
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
  /// Throws unsupported for a model without a projector, which must outlive it.
  explicit TileRun(const Model& model);

  const nn::VisionSpec& spec() const noexcept { return reader_.tower().spec(); }
  std::size_t row_width() const noexcept { return reader_.row_width(); }

  /// Rows that a tile of this size becomes. Throws invalid_argument for one that the model's preparation does not make.
  RowGrid grid(images::Size tile) const;
  std::size_t rows(images::Size tile) const { return grid(tile).rows; }

  /// Of each of these rows the rectangle of the picture, in its pixels, whose patches it was made from, if the tile shows this much of the
  /// picture (images::Layout). No rectangle reaches beyond the picture: that of a row of padding has no area, nor have those of the rows
  /// that end lines and of a class token. Resizing mixes in a few pixels from around each. Throws as grid() does.
  std::vector<images::Rectangle> areas(images::Size tile, const images::Rectangle& shown, images::Size picture) const;

  /// What running a tile of this size takes, beside its pixels and rows. Throws as rows() does.
  std::uint64_t bytes(images::Size tile) const;

  /// rows(tile.size) x row_width() floats. Throws invalid_argument as rows() does, and for a tile with more patches on a side than the
  /// model has positions for; out_of_memory. Keeps the memory for the next tile.
  std::vector<float> operator()(const images::Picture& tile);

 private:
  const Model& model_;
  const nn::PictureReader& reader_;
  nn::KvCachePool caches_;
  std::unique_ptr<nn::Scratch> scratch_;
  nn::PatchGrid grid_;  // that the scratch memory is for
};

}  // namespace heed::runtime
