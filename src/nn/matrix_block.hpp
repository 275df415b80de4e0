// A block of one matrix in place of attention: no position attends to another.
#pragma once

#include <algorithm>

#include "nn/block.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class MatrixBlock final : public Block {
 public:
  /// Takes attn_output of the layer `name`.
  MatrixBlock(const MatrixSpec&, std::size_t width, const std::string& name, Weights& weights)
      : matrix_(weights.linear(name + ".attn_output", width, width)) {}

  static ScratchNeed need(const MatrixSpec&, const PassLimits& limits) noexcept {
    return ScratchNeed()
        .allocate<float>(limits.tokens * limits.width)
        .product(limits.tokens, static_cast<std::size_t>(limits.width));
  }
  static BlockTraits traits(const MatrixSpec&, std::size_t /*width*/) noexcept { return {}; }

  void operator()(Activations h, Pass& pass) const noexcept override {
    const Scratch::Scope scope(pass.scratch);
    float* out = pass.scratch.allocate<float>(h.tokens * h.width);
    project(h.data, h.tokens, {{&matrix_, out}}, pass);
    std::copy_n(out, h.tokens * h.width, h.data);
  }

 private:
  Linear matrix_;  // D x D
};

}  // namespace heed::nn
