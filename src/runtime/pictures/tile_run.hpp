// Runs the vision tower and the projector of a file that belongs to a text model: a tile of a picture to rows that the text model reads.
#pragma once

#include <memory>
#include <vector>

#include "images/picture.hpp"
#include "nn/kv_cache.hpp"
#include "nn/scratch.hpp"
#include "nn/picture_reader.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {

class TileRun {
 public:
  /// Throws unsupported for a model without a projector, which must outlive it.
  explicit TileRun(const Model& model);

  const nn::VisionSpec& spec() const noexcept { return reader_.tower().spec(); }
  std::size_t row_width() const noexcept { return reader_.row_width(); }

  /// Rows that a tile of this size becomes. Throws invalid_argument for one that the model's preparation does not make.
  std::size_t rows(images::Size tile) const;

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
