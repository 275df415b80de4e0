// Layers of sublayers around the residual stream: what decoders, encoders and vision towers have in common.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "nn/block.hpp"
#include "nn/norm.hpp"
#include "nn/position_bias.hpp"
#include "nn/rope.hpp"

namespace heed::nn {

/// x = residual_norm(x + post_norm(mix(pre_norm(x)))), where an absent norm is the identity.
class Sublayer {
 public:
  Sublayer(const SublayerSpec& spec, const StackSpec& stack, const std::string& layer, const std::vector<Rope>& ropes,
           Weights& weights);

  void operator()(Activations x, Pass& pass) const noexcept;

  /// What there is to add to x: h = post_norm(mix(pre_norm(x))).
  void branch(Activations x, Activations h, Pass& pass) const noexcept;
  void join(Activations x, Activations h, Pass& pass) const noexcept;
  const Block& mix() const noexcept { return *mix_; }

 private:
  float residual_scale_;
  std::optional<Norm> pre_norm_, post_norm_, residual_norm_;
  std::unique_ptr<Block> mix_;
};

class Layer {
 public:
  Layer(const LayerSpec& spec, const StackSpec& stack, const std::string& name, const std::vector<Rope>& ropes,
        Weights& weights);

  void operator()(Activations x, Pass& pass) const noexcept;
  const std::vector<Sublayer>& sublayers() const noexcept { return sublayers_; }

 private:
  std::vector<Sublayer> sublayers_;
  std::size_t parallel_;  // sublayers, the first ones, that read what the layer was given
  bool keeps_given_;      // which is read after a sublayer has changed it
};

class Stack {
 public:
  /// Asks for every tensor of the layers. `positions`: what there is room for. Throws invalid_file for one that is missing
  /// or misshapen.
  Stack(const StackSpec& spec, std::size_t positions, Weights& weights);

  static ScratchNeed need(const StackSpec& spec, const Extent& extent);
  /// What the layers keep between passes, of the sequence itself and of an encoder's output.
  static std::vector<CacheLayer> cache_layers(const StackSpec& spec);
  static std::vector<CacheLayer> memory_layers(const StackSpec& spec);

  /// x: T x D, replaced by what the last layer leaves. False if it was cancelled.
  bool operator()(Activations x, Pass& pass) const noexcept;

  /// Norms x once more, where the stack ends with a norm.
  void finish(Activations x, Pass& pass) const noexcept;

  /// Fills the memory of the pass's one segment for the layers that attend to `encoded` (M x D).
  void remember(Activations encoded, Pass& pass) const noexcept;

 private:
  std::vector<Rope> ropes_;
  std::optional<PositionBias> bias_;
  std::vector<Layer> layers_;
  std::optional<Norm> final_norm_;
};

}  // namespace heed::nn
