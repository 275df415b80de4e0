// A mixture of experts (arXiv:1701.06538): a router chooses a few MLPs for each token; only their weights are read.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "nn/block.hpp"
#include "nn/mlp.hpp"
#include "nn/norm.hpp"

namespace heed::nn {

/// One token's use of one expert.
struct ExpertChoice {
  std::uint32_t expert;
  std::uint32_t row;  // the token's row among the rows of all experts
  float weight;
};

/// Chooses a token's experts, best first, and computes their weights. scores: E, the router's logits, replaced by the scores that
/// weights are computed from; ranking: E, scratch. bias: E, added to scores for choosing only, or empty. Among equal scores, the
/// first expert wins.
void choose_experts(const ExpertsSpec& spec, std::span<const float> bias, float* scores, float* ranking, ExpertChoice* choices,
                    const kernels::Kernels& kernels) noexcept;

class Experts final : public Block {
 public:
  /// Takes the router ffn_gate_inp, and ffn_{gate,up,down}_exps, each one tensor for all experts (or gate and up fused as
  /// ffn_gate_up_exps), and ffn_down_exps.scale if the file has it. If the spec has them: the chunks' ffn_{gate,up,down}_chexps,
  /// exp_probs_b, ffn_latent_{down,up}, the shared expert's ffn_{gate,up,down}_shexp and ffn_gate_inp_shexp, and the norms.
  Experts(const ExpertsSpec& spec, std::size_t width, const std::string& name, Weights& weights);

  static ScratchNeed need(const ExpertsSpec& spec, const PassLimits& limits) noexcept;
  static BlockTraits traits(const ExpertsSpec& spec, std::size_t /*width*/) noexcept {
    return {.reads_layer_input = spec.routed_early,
            .out = Point::mlp,
            .shows_pre = true,
            .shows_up = spec.expert.gated,
            .experts = spec.count,
            .hidden = spec.expert.feed_forward,
            .used = spec.used,
            .shared = spec.shared};
  }

  void operator()(Activations h, Pass& pass) const noexcept override;
  std::vector<std::pair<std::uint32_t, double>> expert_terms(std::span<const float> router, std::span<const float> hidden,
                                                             std::span<const double> u,
                                                             const kernels::Kernels& kernels) const override;

 private:
  using Choice = ExpertChoice;

  /// MLPs that tokens choose among.
  struct Bank {
    std::size_t feed_forward = 0;
    std::vector<Linear> gate, up, down;  // per MLP: F x D, F x D, D x F
  };

  void norm_for_router(Activations h, float* normed, Pass& pass) const noexcept;
  void show_choices(const Choice* choices, std::size_t tokens, Pass& pass) const noexcept;
  void choose_chunks(const float* scores, Choice* choices) const noexcept;
  void run_chosen(const Bank& bank, Activations h, Choice* choices, float* outputs, Pass& pass) const noexcept;
  void run_chunks(Activations h, const float* scores, Choice* choices, float* outputs, Pass& pass) const noexcept;
  void run_shared(Activations h, Pass& pass) const noexcept;

  ExpertsSpec spec_;
  Linear router_;                   // E x D
  Buffer<float> selection_bias_;    // E, or empty
  Bank experts_, chunks_;           // chunks_ may be empty
  Linear latent_down_, latent_up_;  // between D and the width of the chosen experts, or empty
  std::optional<Mlp> shared_;
  std::optional<Norm> shared_pre_norm_, shared_post_norm_, chosen_pre_norm_, chosen_post_norm_;
  Buffer<float> router_scale_;         // D, or empty
  std::optional<Linear> shared_gate_;  // 1 x D
};

}  // namespace heed::nn
