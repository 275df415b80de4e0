// LAuReL, a learned low-rank path beside another sublayer (arXiv:2411.07501): h + norm(right(left(h))).
#pragma once

#include "nn/block.hpp"
#include "nn/norm.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Laurel final : public Block {
 public:
  /// Takes laurel_l, laurel_r and laurel_post_norm of the layer `name`.
  Laurel(const LaurelSpec& spec, std::size_t width, const std::string& name, Weights& weights)
      : rank_(spec.rank),
        left_(weights.linear(name + ".laurel_l", spec.rank, width)),
        right_(weights.linear(name + ".laurel_r", width, spec.rank)),
        norm_(spec.norm, width, name + ".laurel_post_norm", weights) {}

  static ScratchNeed need(const LaurelSpec& spec, const PassLimits& limits) noexcept {
    return ScratchNeed()
        .allocate<float>(limits.tokens * spec.rank)
        .allocate<float>(limits.tokens * limits.width)
        .product(limits.tokens, static_cast<std::size_t>(limits.width))
        .product(limits.tokens, spec.rank);
  }
  static BlockTraits traits(const LaurelSpec&, std::size_t /*width*/) noexcept { return {.out = Point::laurel}; }

  void operator()(Activations h, Pass& pass) const noexcept override {
    const Scratch::Scope scope(pass.scratch);
    float* narrow = pass.scratch.allocate<float>(h.tokens * rank_);
    const Activations path{pass.scratch.allocate<float>(h.tokens * h.width), h.tokens, h.width};
    project(h.data, h.tokens, {{&left_, narrow}}, pass);
    project(narrow, h.tokens, {{&right_, path.data}}, pass);
    norm_(path, path.data, pass);
    pass.kernels.add(h.data, path.data, h.tokens * h.width);
  }

 private:
  std::size_t rank_;
  Linear left_, right_;  // rank x D, D x rank
  Norm norm_;
};

}  // namespace heed::nn
