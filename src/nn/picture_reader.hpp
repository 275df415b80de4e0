// What makes a vision tower readable for a text model: its projector, and those of layers in the middle of the tower. A picture becomes
// rows that stand in place of token embeddings.
#pragma once

#include <vector>

#include "nn/projector.hpp"
#include "nn/vision.hpp"

namespace heed::nn {

class PictureReader {
 public:
  /// Takes the tensors of the projectors that the tower's spec has. The tower must outlive it.
  PictureReader(const VisionEncoder& tower, Weights& weights);

  const VisionEncoder& tower() const noexcept { return tower_; }
  ScratchNeed need(PatchGrid grid, std::size_t threads) const;
  /// Rows of a grid, how they lie (Projector::grid), and their width: for each of the text model's layers that rows are added to, as much again.
  std::size_t rows(PatchGrid grid) const noexcept { return projector_.rows(grid); }
  PatchGrid row_grid(PatchGrid grid) const noexcept { return projector_.grid(grid); }
  std::size_t row_width() const noexcept { return (1 + deep_stack_.size()) * projector_.width(); }

  /// rows: rows(grid) x row_width(). As VisionEncoder::forward.
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
