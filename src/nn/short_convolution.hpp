// LFM2's gated short convolution (arXiv:2511.23404): b, c and x come from one projection, b * x is convolved over a few
// positions, each channel on its own, and c times that is projected back.
#pragma once

#include <algorithm>

#include "nn/block.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class ShortConvolution final : public Block {
 public:
  /// Takes shortconv.in_proj, shortconv.conv and shortconv.out_proj of the layer `name`.
  ShortConvolution(const ShortConvolutionSpec& spec, std::size_t width, const std::string& name, Weights& weights)
      : spec_(spec),
        in_proj_(weights.linear(name + ".shortconv.in_proj", 3 * width, width)),
        out_proj_(weights.linear(name + ".shortconv.out_proj", width, width)),
        taps_(weights.table(name + ".shortconv.conv.weight", width, spec.taps)) {}

  static ScratchNeed need(const ShortConvolutionSpec& spec, const Extent& extent) noexcept {
    return ScratchNeed()
        .take<float>(3 * extent.tokens * extent.width)
        .take<float>((extent.tokens + extent.segments * (spec.taps - 1)) * extent.width)
        .take<float>(extent.tokens * extent.width)
        .product(extent.tokens, static_cast<std::size_t>(extent.width));
  }
  /// The state is what was convolved last: (taps - 1) x D.
  static CacheLayer cache_layer(const ShortConvolutionSpec& spec, std::size_t width) noexcept {
    return {.state = (spec.taps - 1) * width};
  }

  void operator()(Activations h, Pass& pass) const noexcept override {
    const Scratch::Scope scope(pass.scratch);
    const std::size_t before = spec_.taps - 1;
    float* projected = pass.scratch.take<float>(3 * h.tokens * h.width);  // T x (b, c, x)
    float* inputs = pass.scratch.take<float>((h.tokens + pass.segments.size() * before) * h.width);
    float* mixed = pass.scratch.take<float>(h.tokens * h.width);
    project(h.data, h.tokens, {{&in_proj_, projected}}, pass);
    for (Segment& segment : pass.segments) {
      float* state = segment.cache.state(pass.layer);
      std::copy_n(state, before * h.width, inputs);
      for (std::size_t t = 0; t < segment.count; ++t) {
        const float* b = projected + 3 * (segment.row + t) * h.width;
        float* input = inputs + (before + t) * h.width;
        for (std::size_t i = 0; i < h.width; ++i) input[i] = b[i] * b[2 * h.width + i];
      }
      pass.pool.parallel_for(segment.count, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
        for (std::size_t t = begin; t < end; ++t)
          convolve(inputs + t * h.width, segment.position + t, projected + (3 * (segment.row + t) + 1) * h.width,
                   mixed + (segment.row + t) * h.width, h.width);
      });
      std::copy_n(inputs + segment.count * h.width, before * h.width, state);
      inputs += (before + segment.count) * h.width;
    }
    project(mixed, h.tokens, {{&out_proj_, h.data}}, pass);
  }

 private:
  /// inputs: taps x D, of which the last is the position's own; before the first position there is nothing.
  void convolve(const float* inputs, std::size_t position, const float* c, float* out, std::size_t width) const noexcept {
    std::fill_n(out, width, 0.0f);
    const std::size_t first = position + 1 < spec_.taps ? spec_.taps - 1 - position : 0;
    for (std::size_t tap = first; tap < spec_.taps; ++tap) {
      const float* input = inputs + tap * width;
      for (std::size_t i = 0; i < width; ++i) out[i] += taps_[i * spec_.taps + tap] * input[i];
    }
    for (std::size_t i = 0; i < width; ++i) out[i] *= c[i];
  }

  ShortConvolutionSpec spec_;
  Linear in_proj_, out_proj_;  // 3D x D, D x D
  Buffer<float> taps_;         // D x taps
};

}  // namespace heed::nn
