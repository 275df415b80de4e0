// A mixture of experts (arXiv:1701.06538): a router chooses a few MLPs for each token, and only their weights are read.
#pragma once

#include <optional>
#include <vector>

#include "nn/block.hpp"
#include "nn/mlp.hpp"

namespace heed::nn {

class Experts final : public Block {
 public:
  /// Takes the router ffn_gate_inp, and ffn_{gate,up,down}_exps, each one tensor for all experts; where the spec has them,
  /// exp_probs_b, ffn_latent_{down,up}, and the shared expert's ffn_{gate,up,down}_shexp and ffn_gate_inp_shexp.
  Experts(const ExpertsSpec& spec, std::size_t width, const std::string& name, Weights& weights);

  static ScratchNeed need(const ExpertsSpec& spec, const Extent& extent) noexcept;

  void operator()(Activations h, Pass& pass) const noexcept override;

 private:
  /// What one token wants of one expert.
  struct Choice {
    std::uint32_t expert;
    std::uint32_t row;  // where the token lies among those of all experts
    float weight;
  };

  void choose(float* scores, float* ranking, Choice* choices, Pass& pass) const noexcept;
  void drop_weak_groups(float* ranking) const noexcept;
  void run_chosen(Activations h, Choice* choices, float* outputs, Pass& pass) const noexcept;
  void run_shared(Activations h, Pass& pass) const noexcept;

  ExpertsSpec spec_;
  Linear router_;                         // E x D
  Buffer<float> selection_bias_;          // E, or empty
  std::vector<Linear> gate_, up_, down_;  // F x D, F x D, D x F of each expert
  Linear latent_down_, latent_up_;        // between D and what the chosen work in, or empty
  std::optional<Mlp> shared_;
  std::optional<Linear> shared_gate_;     // 1 x D
};

}  // namespace heed::nn
