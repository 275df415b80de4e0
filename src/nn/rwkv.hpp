// RWKV 6 and 7 (arXiv:2404.05892, arXiv:2503.14456): a state matrix per head instead of a cache. Each token chooses the factors by
// which key channels decay. In 7, it also removes from the state what is stored for its key (a generalized delta rule).
#pragma once

#include <optional>
#include <vector>

#include "nn/block.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

/// The time mix. A token costs 5 (RWKV 6) or 8 multiplications and additions per float of the states: heads x head_dim^2 floats.
class RwkvTimeMix final : public Block {
 public:
  /// Takes the tensors time_mix_* of the layer `name`.
  RwkvTimeMix(const RwkvTimeMixSpec& spec, std::size_t width, const std::string& name, Weights& weights);

  static ScratchNeed need(const RwkvTimeMixSpec& spec, const PassLimits& limits) noexcept;
  /// The state: the last row, and the heads' matrices.
  static BlockTraits traits(const RwkvTimeMixSpec& spec, std::size_t width) noexcept;

  void operator()(Activations h, Pass& pass) const noexcept override;

 private:
  /// up(f(down(x))) with few channels in between, plus the bias if there is one.
  struct LowRank {
    Linear down, up;
    Buffer<float> bias;
  };
  LowRank low_rank(const std::string& name, std::size_t rank, std::size_t width, bool biased, Weights& weights) const;
  void run_low_rank(const LowRank& low, const float* x, std::size_t tokens, std::optional<kernels::Activation> f, float* out,
                    Pass& pass) const noexcept;
  /// T x D of each.
  struct Rows {
    float *r, *k, *v, *g, *w, *a;  // receptance, key, value, gate, decay, rate (in RWKV 6 T x heads)
  };
  void mix_inputs(Activations y, const float* change, float* const* inputs, Pass& pass) const noexcept;
  void prepare(Activations y, const Rows& rows, Pass& pass) const noexcept;
  void run6(std::size_t head, Segment& segment, const Rows& rows, float* out, std::size_t layer) const noexcept;
  void run7(std::size_t head, Segment& segment, const Rows& rows, float* out, std::size_t layer) const noexcept;
  void finish(const Rows& rows, float* out, std::size_t t, std::size_t width, Pass& pass) const noexcept;

  RwkvTimeMixSpec spec_;
  Buffer<float> shares_, share_x_;  // inputs x D; D
  Linear mix_down_;                 // RWKV 6: 5 E x D
  std::vector<Linear> mix_up_;      // per matrix: D x E
  LowRank decay_, rate_, value_, gate_;
  Linear r_proj_, k_proj_, v_proj_, g_proj_, o_proj_;
  Buffer<float> first_;             // RWKV 6: heads x head_dim
  Buffer<float> k_k_, k_a_, r_k_;   // RWKV 7: D
  Buffer<float> norm_, norm_bias_;  // D, or empty
  Buffer<float> ones_;              // head_dim
};

/// The channel mix: value(relu(key)^2), in RWKV 6 times the logistic function of a receptance.
class RwkvChannelMix final : public Block {
 public:
  /// Takes the tensors channel_mix_* of the layer `name`.
  RwkvChannelMix(const RwkvChannelMixSpec& spec, std::size_t width, const std::string& name, Weights& weights);

  static ScratchNeed need(const RwkvChannelMixSpec& spec, const PassLimits& limits) noexcept;
  /// The state: the last row.
  static BlockTraits traits(const RwkvChannelMixSpec& spec, std::size_t width) noexcept;

  void operator()(Activations h, Pass& pass) const noexcept override;

 private:
  RwkvChannelMixSpec spec_;
  Buffer<float> share_k_, share_r_;  // D; the second may be empty
  Linear key_, value_, receptance_;
};

}  // namespace heed::nn
