// Whisper's encoder (arXiv:2212.04356): two convolutions over the frames of a sound, the second of which halves their number, then
// layers that see all of them.
#pragma once

#include "nn/audio_spec.hpp"
#include "nn/stack.hpp"

namespace heed::nn {

class AudioEncoder {
 public:
  /// Takes PREFIXconv1d.1 (width x bands x 3), PREFIXconv1d.2 (width x width x 3), PREFIXposition_embd (positions x width), and the
  /// layers' tensors.
  AudioEncoder(const AudioSpec& spec, Weights& weights);

  static ScratchNeed need(const AudioSpec& spec, const PassLimits& limits);

  const AudioSpec& spec() const noexcept { return spec_; }
  const Stack& stack() const noexcept { return stack_; }

  /// frames: (2 positions) x bands; hidden: positions x D, for the pass's positions. Returns false if canceled.
  bool forward(const float* frames, Pass& pass, float* hidden) const noexcept;

 private:
  void convolve(const float* frames, Pass& pass, float* hidden) const noexcept;
  bool run_layers(Activations x, Pass& pass) const noexcept;

  AudioSpec spec_;
  Linear first_, second_;  // D x (3 bands), D x (3 D)
  Buffer<float> positions_;
  Stack stack_;
};

}  // namespace heed::nn
