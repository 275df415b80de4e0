// The interface of a sublayer's computation, such as attention over positions or an MLP over channels.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "nn/linear.hpp"
#include "nn/pass.hpp"
#include "nn/spec.hpp"

namespace heed::nn {

/// The shape of softmax attention heads; zero for other blocks.
struct HeadShape {
  std::size_t count = 0, dim = 0;  // of queries; the length of each one's output
  std::size_t cached_dim = 0;      // of a cached value, which the block may still project (Block::values_up)
  std::size_t kv_count = 0, key_dim = 0;
  bool gated = false;  // a gate is applied between the heads' outputs and the output matrix
  bool projected = false,
       own_keys = false;  // queries come from one matrix each, and so do keys and values, if the layer has its own
  bool normed = false;    // both are normalized before they are rotated
};

/// The shape of a recurrent layer's heads; zero for other blocks.
struct RecurrentShape {
  std::size_t heads = 0;
  std::size_t decays = 1, writes = 1;  // the numbers of a head's decay and of its write: one, or one for each of its channels
  // Of heads that are read by queries: the number of those of queries and keys, their width, and that of values.
  std::size_t key_heads = 0, key_dim = 0, value_dim = 0;
};

/// Properties of a block that a stack needs before the block exists. Each block's class computes them from its spec; defaults mean
/// that the block lacks the property.
struct BlockTraits {
  CacheLayer cache = {};            // what it caches of the sequence
  CacheLayer cross_cache = {};      // what it caches of an encoder's output
  HeadShape heads = {};             // of its self-attention
  const RopeSpec* rope = nullptr;   // the RoPE of its queries and keys: a part of the spec
  bool reads_layer_input = false;   // Pass::layer_input
  bool keeps_first_values = false;  // Pass::first_values
  // the points that it has
  Point out = Point::mixed;    // what it adds to the stream
  HeadShape cross_heads = {};  // of its cross-attention
  RecurrentShape recurrent = {};
  bool shows_gate = false, shows_gated = false;  // Point::gate and Point::gated, which have the shape of what heads give
  bool shows_pre = false, shows_up = false;      // of feed-forward blocks
  std::size_t experts = 0;
  std::size_t hidden = 0, used = 1, shared = 0;  // the widths of feed-forward blocks, and the number of experts per token
};

class Block {
 public:
  virtual ~Block() = default;

  /// h: T x D, replaced by the block's output.
  virtual void operator()(Activations h, Pass& pass) const noexcept = 0;

  /// Only stores the keys and values of h, for attention.
  virtual void remember(Activations /*h*/, Pass& /*pass*/) const noexcept {}

  /// Replaces h by the block's output after remember() has stored what there is to attend to: the encoder_positions of the cross_cache
  /// of the pass's only segment, all of which every row sees.
  virtual void recall(Activations h, Pass& pass) const noexcept { (*this)(h, pass); }

  /// The matrix that the heads' outputs go through directly; nullptr for other blocks, and if a gate comes in between.
  virtual const Linear* heads_output() const noexcept { return nullptr; }

  /// The output matrix, whatever comes before it; nullptr if there is not just one.
  virtual const Linear* output() const noexcept { return heads_output(); }

  /// For a block of experts: what each of those that a token chose adds along a direction u (D), best first, from the router's logits
  /// and the values at Point::hidden (used x F). Empty for other blocks, and if more comes between than a sum. Throws std::bad_alloc.
  virtual std::vector<std::pair<std::uint32_t, double>> expert_terms(std::span<const float> /*router*/,
                                                                     std::span<const float> /*hidden*/,
                                                                     std::span<const double> /*u*/,
                                                                     const kernels::Kernels& /*kernels*/) const {
    return {};
  }

  /// The matrix that a head applies to its cached values first, if any.
  virtual const Linear* values_up(std::size_t /*head*/) const noexcept { return nullptr; }

  /// For cross-attention: stores projections of the encoder's output (M x D) in the cross-attention cache of the pass's only
  /// segment.
  virtual void cache_encoder_output(Activations /*encoded*/, Pass& /*pass*/) const noexcept {}
};

}  // namespace heed::nn
