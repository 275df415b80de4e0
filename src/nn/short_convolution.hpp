// LFM2's gated short convolution (arXiv:2511.23404): b, c and x come from one projection; b * x goes through a depthwise
// convolution over a few positions; c times the result is projected back.
#pragma once

#include "nn/block.hpp"
#include "nn/causal_convolution.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class ShortConvolution final : public Block {
 public:
  /// Takes shortconv.in_proj, shortconv.conv and shortconv.out_proj of the layer `name`.
  ShortConvolution(const ShortConvolutionSpec& spec, std::size_t width, const std::string& name, Weights& weights)
      : in_proj_(weights.linear(name + ".shortconv.in_proj", 3 * width, width)),
        out_proj_(weights.linear(name + ".shortconv.out_proj", width, width)),
        convolution_(spec.taps, width, name + ".shortconv.conv", weights) {}

  static ScratchNeed need(const ShortConvolutionSpec&, const PassLimits& limits) noexcept {
    return ScratchNeed()
        .allocate<float>(3 * limits.tokens * limits.width)
        .allocate<float>(limits.tokens * limits.width)
        .product(limits.tokens, static_cast<std::size_t>(limits.width));
  }
  /// The state is the last inputs of the convolution.
  static BlockTraits traits(const ShortConvolutionSpec& spec, std::size_t width) noexcept {
    return {.cache = {.state = CausalConvolution::state(spec.taps, width)}};
  }

  void operator()(Activations h, Pass& pass) const noexcept override {
    const Scratch::Scope scope(pass.scratch);
    const std::size_t all = 3 * h.width;
    float* projected = pass.scratch.allocate<float>(h.tokens * all);  // T x (b, c, x)
    float* mixed = pass.scratch.allocate<float>(h.tokens * h.width);
    float* inputs = projected + 2 * h.width;  // x of each token (`all` floats apart), multiplied by b
    project(h.data, h.tokens, {{&in_proj_, projected}}, pass);
    pass.pool.parallel_for(h.tokens, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t t = begin; t < end; ++t) multiply(inputs + t * all, projected + t * all, h.width);
    });
    convolution_(inputs, all, 0, mixed, pass,
                 [&](std::size_t t) noexcept { multiply(mixed + t * h.width, projected + t * all + h.width, h.width); });
    project(mixed, h.tokens, {{&out_proj_, h.data}}, pass);
  }

 private:
  /// x *= y
  static void multiply(float* x, const float* y, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) x[i] *= y[i];
  }

  Linear in_proj_, out_proj_;  // 3D x D, D x D
  CausalConvolution convolution_;
};

}  // namespace heed::nn
