// The vision transformer (arXiv:2010.11929): an image, cut into patches, to one vector each and one for the whole.
#pragma once

#include <optional>

#include "nn/encoder.hpp"
#include "nn/stack.hpp"

namespace heed::nn {

class VisionEncoder {
 public:
  /// Takes PREFIXpatch_embd (width x 3 x patch x patch), PREFIXclass_embd, PREFIXposition_embd, the layers' tensors, and the
  /// projection and the classifier where the spec has them.
  VisionEncoder(const VisionSpec& spec, Weights& weights);

  static ScratchNeed need(const VisionSpec& spec, const Extent& extent);

  const VisionSpec& spec() const noexcept { return spec_; }
  const Linear* projection() const noexcept { return projection_ ? &*projection_ : nullptr; }
  const Linear* classifier() const noexcept { return classifier_ ? &*classifier_ : nullptr; }

  /// pixels: 3 x image x image, as the model knows colours. hidden: patches.tokens() x D. False if it was cancelled.
  bool forward(const float* pixels, Pass& pass, float* hidden) const noexcept;

 private:
  std::size_t patch_values() const noexcept { return 3 * spec_.patches.patch * spec_.patches.patch; }

  VisionSpec spec_;
  Linear patches_;            // D x (3 patch patch)
  Buffer<float> class_token_; // D
  Linear positions_;          // tokens x D
  std::optional<Norm> norm_;
  Stack stack_;
  std::optional<Linear> projection_, classifier_;
};

}  // namespace heed::nn
