// Runs a vision encoder on an image: one vector for the whole image and one per patch, and embeddings and classes from them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/image.hpp"
#include "runtime/pooling.hpp"
#include "runtime/recorder.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {

class VisionRun {
 public:
  /// Throws unsupported for a model without a vision encoder. The workspace must outlive it.
  explicit VisionRun(Workspace& workspace);

  /// Returns false if the pass was interrupted. The results below are valid until the workspace's next pass. Throws
  /// invalid_argument as prepare() in runtime/image.hpp does.
  bool operator()(const Image& image, Recorder* recorder = nullptr);

  /// One vector of D for the image, then one per patch, by rows of patches.
  std::span<const float> hidden() const noexcept;

  /// The image's embedding: one vector or, with Pooling::none, all vectors. The length is D, or the number of rows of the model's
  /// projection.
  std::vector<float> embedding(Pooling pooling = Pooling::cls, bool normalized = false) const;

  /// The probability of each class. Throws unsupported if the model has no classifier.
  std::vector<float> classes() const;

 private:
  Workspace& workspace_;
};

}  // namespace heed::runtime
