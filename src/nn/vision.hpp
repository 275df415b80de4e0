// The vision transformer (arXiv:2010.11929): turns the patches of an image into one vector each, and one for the whole image.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "nn/patch_positions.hpp"
#include "nn/stack.hpp"

namespace heed::nn {

/// An image, or a part of it, as the input of a tower.
struct Tile {
  const float* pixels = nullptr;  // 3 x height x width, normalized
  std::size_t width = 0, height = 0;
};

class VisionEncoder {
 public:
  /// Takes PREFIXpatch_embd (width x 3 x patch x patch), PREFIXclass_embd, PREFIXposition_embd, the layers' tensors, and those of
  /// the projection and the classifier if the spec has them.
  VisionEncoder(const VisionSpec& spec, Weights& weights);

  /// For images of spec.patches.image pixels per side. `limits`: their tokens.
  static ScratchNeed need(const VisionSpec& spec, const PassLimits& limits);

  const VisionSpec& spec() const noexcept { return spec_; }
  std::span<const Linear> projections() const noexcept { return projections_; }
  const Linear* classifier() const noexcept { return classifier_ ? &*classifier_ : nullptr; }

  /// hidden: patches.tokens() x D, of an image of spec.patches.image pixels per side. Returns false if canceled.
  bool forward(const float* pixels, Pass& pass, float* hidden) const noexcept;

  // For images of other sizes, which must be a whole number of patches:

  PatchGrid grid(const Tile& tile) const noexcept { return {tile.width / spec_.patches.patch, tile.height / spec_.patches.patch}; }
  std::size_t tokens(PatchGrid grid) const noexcept { return grid.count() + (has_class() ? 1 : 0); }
  /// Throws invalid_argument for a grid beyond the table of positions.
  void check(PatchGrid grid) const;
  /// `inside`: the scratch memory of a listener to the layers' outputs.
  ScratchNeed need(PatchGrid grid, std::size_t threads, const ScratchNeed& inside) const;
  /// hidden: tokens(grid) x D, patches by rows. The grid must pass check(). Returns false if canceled.
  bool forward(const Tile& tile, Pass& pass, float* hidden) const noexcept;

 private:
  bool has_class() const noexcept { return spec_.patches.class_token != ClassToken::none; }
  std::size_t patch_values() const noexcept { return 3 * spec_.patches.patch * spec_.patches.patch; }
  static ScratchNeed cutting(const VisionSpec& spec, std::uint64_t tokens);
  void embed(const Tile& tile, const std::size_t* order, Pass& pass, float* hidden) const noexcept;

  VisionSpec spec_;
  Linear patches_;               // D x (3 patch patch)
  std::optional<Linear> later_;  // matrix for the second frame's patches
  Buffer<float> class_token_;    // D, or empty
  std::optional<PatchPositions> positions_;
  std::optional<Norm> early_norm_, norm_;
  Stack stack_;
  std::vector<Linear> projections_;  // one, or none
  std::optional<Linear> classifier_;
};

}  // namespace heed::nn
