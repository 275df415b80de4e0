// The block that uses a layer's per-layer input (nn/per_layer_embedding.hpp): proj(f(inp_gate(x)) * input).
#pragma once

#include "nn/block.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class PerLayerInput final : public Block {
 public:
  /// Takes inp_gate and proj of the layer `name`.
  PerLayerInput(const PerLayerInputSpec& spec, std::size_t width, const std::string& name, Weights& weights)
      : spec_(spec),
        gate_(weights.linear(name + ".inp_gate", spec.width, width)),
        proj_(weights.linear(name + ".proj", width, spec.width)) {}

  static ScratchNeed need(const PerLayerInputSpec& spec, const PassLimits& limits) noexcept {
    return ScratchNeed()
        .allocate<float>(limits.tokens * spec.width)
        .product(limits.tokens, static_cast<std::size_t>(limits.width))
        .product(limits.tokens, spec.width);
  }
  static BlockTraits traits(const PerLayerInputSpec&, std::size_t /*width*/) noexcept { return {.out = Point::input}; }

  void operator()(Activations h, Pass& pass) const noexcept override {
    const Scratch::Scope scope(pass.scratch);
    float* hidden = pass.scratch.allocate<float>(h.tokens * spec_.width);
    project(h.data, h.tokens, {{&gate_, hidden}}, pass);
    pass.pool.parallel_for(h.tokens, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t t = begin; t < end; ++t)
        pass.kernels.activate(spec_.activation, hidden + t * spec_.width, pass.per_layer.row(t, pass.layer), spec_.width);
    });
    project(hidden, h.tokens, {{&proj_, h.data}}, pass);
  }

 private:
  PerLayerInputSpec spec_;
  Linear gate_, proj_;  // width x D, D x width
};

}  // namespace heed::nn
