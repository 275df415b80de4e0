// Connects a vision tower to a text model: the projectors of its output, and of layers in the middle of the tower. An image
// becomes rows that replace token embeddings.
#pragma once

#include <vector>

#include "nn/projector.hpp"
#include "nn/vision.hpp"

namespace heed::nn {

class PictureReader {
 public:
  /// Takes the tensors of the projectors in the tower's spec. The tower must outlive this object.
  PictureReader(const VisionEncoder& tower, Weights& weights);

  const VisionEncoder& tower() const noexcept { return tower_; }
  ScratchNeed need(PatchGrid grid, std::size_t threads) const;
  /// The number of rows of a grid, their layout (Projector::grid), and their width: D, and D more for each layer of the text model
  /// that rows are added to.
  std::size_t rows(PatchGrid grid) const noexcept { return projector_.rows(grid); }
  PatchGrid row_grid(PatchGrid grid) const noexcept { return projector_.grid(grid); }
  std::size_t row_width() const noexcept { return (1 + deep_stack_.size()) * projector_.width(); }

  /// rows: rows(grid) x row_width(). Otherwise as VisionEncoder::forward.
  bool operator()(const Tile& tile, Pass& pass, float* rows) const noexcept;

 private:
  struct Deep {
    std::size_t layer;
    Projector projector;
  };
  class DeepListener;

  const VisionEncoder& tower_;
  Projector projector_;
  std::vector<Deep> deep_stack_;
};

}  // namespace heed::nn
