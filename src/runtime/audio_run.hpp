// Runs an audio tower on a window of a sound: one vector for each two frames.
#pragma once

#include <span>

#include "audio/mel.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {

class AudioRun {
 public:
  /// Throws unsupported for a model without an audio tower. The workspace must outlive it.
  explicit AudioRun(Workspace& workspace);

  /// The mel spectrogram that the tower reads.
  const audio::MelSpec& mel() const noexcept;
  /// The longest window, in positions of two frames each.
  std::size_t most_positions() const noexcept;

  /// Runs the tower on 2 * positions frames from frame `first` on; positions: 1 to most_positions(). Returns false if the pass was
  /// interrupted.
  bool operator()(const audio::MelSpectrogram& mel, std::size_t first, std::size_t positions);

  /// positions x D, valid until the workspace's next pass.
  std::span<const float> hidden() const noexcept { return workspace_.hidden().first(values_); }

 private:
  Workspace& workspace_;
  std::size_t values_ = 0;
};

}  // namespace heed::runtime
