// The feed-forward block: down(f(gate(x)) * up(x)) (arXiv:2002.05202), or down(f(up(x))) (arXiv:1706.03762).
#pragma once

#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Mlp {
 public:
  /// Takes ffn_gate (where gated), ffn_up and ffn_down of the block `name`.
  Mlp(const MlpSpec& spec, std::size_t width, const std::string& name, Weights& weights)
      : spec_(spec),
        up_proj_(weights.linear(name + ".ffn_up", spec.feed_forward, width, spec.biased)),
        down_proj_(weights.linear(name + ".ffn_down", width, spec.feed_forward, spec.biased)) {
    if (spec.gated) gate_proj_ = weights.linear(name + ".ffn_gate", spec.feed_forward, width, spec.biased);
  }

  /// h: T x D, replaced by the block's output.
  void operator()(Activations h, Pass& pass) const noexcept {
    float* up = pass.scratch.up.data();
    float* gate = pass.scratch.gate.data();
    if (spec_.gated) project(h.data, h.tokens, {{&gate_proj_, gate}, {&up_proj_, up}}, pass);
    else project(h.data, h.tokens, {{&up_proj_, up}}, pass);

    float* hidden = spec_.gated ? gate : up;
    const float* factor = spec_.gated ? up : nullptr;
    constexpr std::size_t kChunk = 2048;
    pass.pool.parallel_for(h.tokens * spec_.feed_forward, kChunk,
                           [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
                             pass.kernels.activate(spec_.activation, hidden + begin,
                                                   factor ? factor + begin : nullptr, end - begin);
                           });
    project(hidden, h.tokens, {{&down_proj_, h.data}}, pass);
  }

 private:
  MlpSpec spec_;
  Linear gate_proj_;           // F x D, where gated
  Linear up_proj_, down_proj_; // F x D, D x F
};

}  // namespace heed::nn
