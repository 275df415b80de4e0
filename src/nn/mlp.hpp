// The feed-forward block: down(f(gate(x)) * up(x)) (arXiv:2002.05202), or down(f(up(x))) (arXiv:1706.03762).
#pragma once

#include <optional>

#include "nn/block.hpp"
#include "nn/norm.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Mlp final : public Block {
 public:
  /// Takes ffn_gate (if gated; or gate and up fused as ffn_up), ffn_up and ffn_down of the layer `name`, each with `suffix`.
  /// hidden: the point of ffn_down's input.
  Mlp(const MlpSpec& spec, std::size_t width, const std::string& name, Weights& weights, const std::string& suffix = "",
      Point hidden = Point::hidden);

  static ScratchNeed need(const MlpSpec& spec, const PassLimits& limits) noexcept;
  static BlockTraits traits(const MlpSpec& spec, std::size_t /*width*/) noexcept {
    return {.out = Point::mlp, .shows_pre = true, .shows_up = spec.gated && !spec.without_gate, .hidden = spec.feed_forward};
  }

  void operator()(Activations h, Pass& pass) const noexcept override;

 private:
  /// hidden = xielu(hidden) for `count` values, on all threads.
  void curve(float* hidden, std::size_t count, Pass& pass) const noexcept;
  void cut_off(float* gates, std::size_t tokens, Pass& pass) const noexcept;

  MlpSpec spec_;
  Point hidden_;
  Linear gate_proj_;            // F x D, if gated
  Linear up_proj_, down_proj_;  // F x D, D x F
  Buffer<float> shrinkage_;     // F, or empty
  std::optional<Norm> sub_norm_;
};

/// hidden = f(hidden), or f(hidden) * up where `up` is not nullptr, for `count` values, on all threads.
void activate(kernels::Activation activation, float* hidden, const float* up, std::size_t count, Pass& pass) noexcept;
/// As above, with the activation and the limit of a spec.
void activate(const MlpSpec& spec, float* hidden, float* up, std::size_t count, Pass& pass) noexcept;

}  // namespace heed::nn
