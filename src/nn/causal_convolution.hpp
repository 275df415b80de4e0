// A convolution over the last few tokens, each channel on its own, and what it keeps of a sequence: the inputs that came last.
#pragma once

#include <algorithm>

#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class CausalConvolution {
 public:
  static constexpr std::size_t kMostTaps = 64;

  /// Takes `name`.weight (channels x taps) and, where there is one, `name`.bias.
  CausalConvolution(std::size_t taps, std::size_t channels, const std::string& name, Weights& weights)
      : taps_(taps),
        channels_(channels),
        weights_(weights.table(name + ".weight", channels, taps, RowOrder::by_part(channels, taps, {1}))),
        bias_(weights.optional_vector(name + ".bias", channels)) {}

  /// Floats that a sequence keeps: (taps - 1) x channels, zero before the first token.
  static constexpr std::size_t state(std::size_t taps, std::size_t channels) noexcept { return (taps - 1) * channels; }

  /// out[channels] of token t of a segment. inputs: those of its first token, the next `stride` floats further.
  void operator()(const float* inputs, std::size_t stride, const float* state, std::size_t t, float* out,
                  const kernels::Kernels& kernels) const noexcept {
    const float* rows[kMostTaps];
    for (std::size_t tap = 0; tap < taps_; ++tap) {
      const std::size_t at = t + tap;  // from the first that the state has
      rows[tap] = at + 1 < taps_ ? state + at * channels_ : inputs + (at + 1 - taps_) * stride;
    }
    kernels.convolve(rows, weights_.data(), bias_.data(), taps_, channels_, out);
  }

  /// Once all of a segment's tokens are convolved: leaves what the next one needs.
  void remember(const float* inputs, std::size_t stride, std::size_t count, float* state) const noexcept {
    const std::size_t kept = taps_ - 1;
    if (count < kept) std::copy(state + count * channels_, state + kept * channels_, state);
    for (std::size_t t = count > kept ? count - kept : 0; t < count; ++t)
      std::copy_n(inputs + t * stride, channels_, state + (kept + t - count) * channels_);
  }

 private:
  std::size_t taps_, channels_;
  Buffer<float> weights_, bias_;  // taps x channels; channels, or empty
};

}  // namespace heed::nn
