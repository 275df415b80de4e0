// The vision transformer (arXiv:2010.11929): an image, divided into patches, to one vector per patch and one for the whole image.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "nn/embedding.hpp"
#include "nn/stack.hpp"

namespace heed::nn {

class VisionEncoder {
 public:
  /// Takes PREFIXpatch_embd (width x 3 x patch x patch), PREFIXclass_embd, PREFIXposition_embd, the layers' tensors, and the
  /// projection and the classifier if the spec has them.
  VisionEncoder(const VisionSpec& spec, Weights& weights);

  static ScratchNeed need(const VisionSpec& spec, const PassLimits& limits);

  const VisionSpec& spec() const noexcept { return spec_; }
  std::span<const Linear> projections() const noexcept { return projections_; }
  const Linear* classifier() const noexcept { return classifier_ ? &*classifier_ : nullptr; }

  /// pixels: 3 x image x image, normalised. hidden: patches.tokens() x D. Returns false if cancelled.
  bool forward(const float* pixels, Pass& pass, float* hidden) const noexcept;

 private:
  std::size_t patch_values() const noexcept { return 3 * spec_.patches.patch * spec_.patches.patch; }

  VisionSpec spec_;
  Linear patches_;             // D x (3 patch patch)
  Buffer<float> class_token_;  // D
  Linear positions_;           // tokens x D
  std::optional<Norm> norm_;
  Stack stack_;
  std::vector<Linear> projections_;  // one, or none
  std::optional<Linear> classifier_;
};

}  // namespace heed::nn
