// Layers of sublayers around the residual stream, shared by decoders, encoders and vision towers.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "nn/block.hpp"
#include "nn/norm.hpp"
#include "nn/position_bias.hpp"
#include "nn/rope.hpp"

namespace heed::nn {

/// x = residual_norm(scale (x + f post_norm(block(pre_norm(x))))), where an absent norm is the identity and f the stack's
/// residual_scale times the sublayer's factor; then x = again_norm(x + x0), with x0 the layer's input, if the file has again_norm.
class Sublayer {
 public:
  Sublayer(const SublayerSpec& spec, const StackSpec& stack, const std::string& layer, const std::vector<Rope>& ropes,
           Weights& weights);

  void operator()(Activations x, Pass& pass) const noexcept;
  /// As operator(), after remember() (Block::recall).
  void recall(Activations x, Pass& pass) const noexcept;

  /// Computes the term to add to x: h = f gain * post_norm(block(pre_norm(x))). `remembered`: calls Block::recall.
  void branch(Activations x, Activations h, Pass& pass, bool remembered = false) const noexcept;
  void join(Activations x, Activations h, Pass& pass) const noexcept;
  /// Only stores the keys and values of the block.
  void remember(Activations x, Pass& pass) const noexcept;
  const Block& block() const noexcept { return *block_; }
  const std::optional<Norm>& post_norm() const noexcept { return post_norm_; }
  float residual_scale() const noexcept { return residual_scale_; }

 private:
  /// Applies a norm before or after the block, with its points where it has any.
  void norm(const Norm& norm, Activations in, float* out, std::optional<Point> divided_by, Point normalized,
            Pass& pass) const noexcept;

  float residual_scale_, scale_;
  Place out_;  // the place of its addition to the stream, without the layer
  std::optional<PointsAround> around_;
  std::optional<Norm> pre_norm_, post_norm_, residual_norm_, again_norm_;
  Buffer<float> gain_;  // D, or empty
  std::unique_ptr<Block> block_;
};

class Layer {
 public:
  Layer(const LayerSpec& spec, const StackSpec& stack, const std::string& name, const std::vector<Rope>& ropes, Weights& weights);

  void operator()(Activations x, Pass& pass) const noexcept;
  const std::vector<Sublayer>& sublayers() const noexcept { return sublayers_; }

 private:
  std::vector<Sublayer> sublayers_;
  std::size_t parallel_;               // this many sublayers, from the first on, read the layer's input
  std::optional<std::size_t> middle_;  // the sublayer that reads Point::middle
  bool keeps_input_;                   // a sublayer reads the input after an earlier one has changed x
  Buffer<float> input_share_;          // one number, or empty
  Buffer<float> output_scale_;         // one number, D, or empty
};

class AltUp;

class Stack {
 public:
  /// Requests every tensor of the layers. Throws invalid_file for a tensor that is missing or has the wrong shape.
  Stack(const StackSpec& spec, std::size_t context_length, Weights& weights);

  Stack(Stack&&) noexcept;
  ~Stack();

  static ScratchNeed need(const StackSpec& spec, const PassLimits& limits);
  /// The caches of the layers between passes, for the sequence itself and for an encoder's output.
  static std::vector<CacheLayer> cache_layers(const StackSpec& spec);
  static std::vector<CacheLayer> cross_cache_layers(const StackSpec& spec);

  /// x: T x D, replaced by the output of the last layer. Rows of images (Pass::pictures) have D more values for each layer after
  /// which these are added. Returns false if canceled. Listeners are shown x before the first layer and after each layer; with
  /// several streams, the first stream, and the mean of all after the last layer.
  bool operator()(Activations x, Pass& pass) const noexcept;

  /// The number of layers as they run; a layer that runs several times counts each time.
  std::size_t depth() const noexcept { return steps_.size(); }
  const Layer& layer(std::size_t i) const noexcept { return layers_[steps_[i].layer]; }
  const std::optional<Norm>& final_norm() const noexcept { return final_norm_; }
  /// Computes RoPE's angles and the position biases, which the layers share. Callers that run layers one by one call it first,
  /// inside a Scratch::Scope.
  void prepare(Pass& pass) const noexcept;
  /// Whether a pass may start at any layer from its input alone, because no layer reads other results of earlier layers.
  bool starts_anywhere() const noexcept { return !alt_up_ && low_start_.empty() && !shares_input_ && !keeps_values_; }
  /// Applies the final norm to x, if the stack has one. rows: the row of the pass of each token; nullptr: 0, 1, 2, ....
  void finish(Activations x, Pass& pass, const std::size_t* rows = nullptr) const noexcept;

  /// Fills the cross-attention cache of the pass's one segment for the layers that attend to `encoded` (M x D).
  void cache_encoder_output(Activations encoded, Pass& pass) const noexcept;

 private:
  std::vector<Rope> ropes_;
  std::optional<PositionBias> bias_;
  std::vector<Layer> layers_;
  struct Step {
    std::size_t layer;  // index in layers_
    bool begins_turn;
    Turn ends_turn;
    std::optional<Norm> turn_norm;
  };
  std::vector<Step> steps_;  // the layers as they run, some of them more than once
  bool shares_input_;        // layers add a multiple of the stack's input
  bool keeps_values_;        // layers mix in the values of the first layer
  Buffer<float> low_start_;  // D, if there are turns
  std::size_t deep_rows_;    // layers after which parts of pictures' rows are added
  std::unique_ptr<AltUp> alt_up_;
  std::optional<Norm> final_norm_;
};

}  // namespace heed::nn
