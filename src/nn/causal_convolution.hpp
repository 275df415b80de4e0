// A depthwise convolution over the last few tokens. Its state per sequence is the most recent inputs.
#pragma once

#include <algorithm>

#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class CausalConvolution {
 public:
  static constexpr std::size_t kMostTaps = 64;

  /// Takes `name`.weight (channels x taps) and, if present, `name`.bias.
  CausalConvolution(std::size_t taps, std::size_t channels, const std::string& name, Weights& weights)
      : taps_(taps),
        channels_(channels),
        weights_(weights.table(name + ".weight", channels, taps, RowOrder::by_part(channels, taps, {1}))),
        bias_(weights.optional_vector(name + ".bias", channels)) {}

  /// Floats of state per sequence: (taps - 1) x channels, zero before the first token.
  static constexpr std::size_t state(std::size_t taps, std::size_t channels) noexcept { return (taps - 1) * channels; }

  /// Convolves all tokens of a pass, calls then(t) after token t, on the same thread, and saves the state for the next pass.
  /// inputs: those of the first token; each next token's are `stride` floats further. state_offset: where in the layer's state the
  /// convolution's state begins. out: T x channels.
  template <typename Then>
  void operator()(const float* inputs, std::size_t stride, std::size_t state_offset, float* out, Pass& pass,
                  const Then& then) const noexcept {
    pass.pool.parallel_for(pass.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t t = begin; t < end; ++t) {
        Segment& segment = pass.of(t);
        convolve(inputs + segment.row * stride, stride, segment.cache.state(pass.layer) + state_offset, t - segment.row,
                 out + t * channels_, pass.kernels);
        then(t);
      }
    });
    for (Segment& segment : pass.segments) {
      float* const state = segment.cache.state(pass.layer) + state_offset;
      const float* const own = inputs + segment.row * stride;
      for (std::size_t t = 0; t + 1 < segment.count; ++t)
        if (float* const kept = segment.cache.kept(t, state)) {
          std::copy_n(state, (taps_ - 1) * channels_, kept);
          keep(own, stride, t + 1, kept);
        }
      keep(own, stride, segment.count, state);
    }
  }

 private:
  /// Computes out[channels] for token t of a segment, whose inputs begin at `inputs`.
  void convolve(const float* inputs, std::size_t stride, const float* state, std::size_t t, float* out,
                const kernels::Kernels& kernels) const noexcept {
    const float* rows[kMostTaps];
    for (std::size_t tap = 0; tap < taps_; ++tap) {
      const std::size_t at = t + tap;  // index of the input, counted from the oldest one in the state
      rows[tap] = at + 1 < taps_ ? state + at * channels_ : inputs + (at + 1 - taps_) * stride;
    }
    kernels.convolve(rows, weights_.data(), bias_.data(), taps_, channels_, out);
  }

  /// Saves the state for the next token of a segment, after `count` tokens.
  void keep(const float* inputs, std::size_t stride, std::size_t count, float* state) const noexcept {
    const std::size_t kept = taps_ - 1;
    if (count < kept) std::copy(state + count * channels_, state + kept * channels_, state);
    for (std::size_t t = count > kept ? count - kept : 0; t < count; ++t)
      std::copy_n(inputs + t * stride, channels_, state + (kept + t - count) * channels_);
  }

  std::size_t taps_, channels_;
  Buffer<float> weights_, bias_;  // taps x channels; channels, or empty
};

}  // namespace heed::nn
