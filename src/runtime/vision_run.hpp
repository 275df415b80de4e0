// A picture through a vision encoder: one vector for the whole, one a patch, and what is made of these.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/image.hpp"
#include "runtime/inspect.hpp"
#include "runtime/pooling.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {

class VisionRun {
 public:
  /// Throws unsupported for a model that does not see. The workspace must outlive it.
  explicit VisionRun(Workspace& workspace);

  /// False where the pass was interrupted. What follows is good until the next run of the workspace. Throws invalid_argument
  /// as prepare (runtime/image.hpp) does.
  bool operator()(const Image& image, AttentionProbe* probe = nullptr);

  /// One vector for the whole, then one a patch, row by row.
  std::span<const float> hidden() const noexcept;

  /// The picture as one vector or, for Pooling::none, as all of them, of D numbers or as many as the model's projection gives.
  std::vector<float> embedding(Pooling pooling = Pooling::cls, bool normalised = false) const;

  /// Probabilities of the classes. Throws unsupported where the model has no classifier.
  std::vector<float> classes() const;

 private:
  Workspace& workspace_;
};

}  // namespace heed::runtime
