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
  std::size_t count = 0, dim = 0;  // number of query heads; length of each head's output
  std::size_t cached_dim = 0;      // length of a cached value, which the block may still project (Block::values_up)
  std::size_t kv_count = 0, key_dim = 0;
  bool gated = false;  // a gate is applied between the heads' outputs and the output matrix
  bool projected = false,
       own_keys = false;  // queries, and with own_keys also keys and values, have one matrix each
  bool normed = false;    // queries and keys are normalized before they are rotated
};

/// The shape of a recurrent layer's heads; zero for other blocks.
struct RecurrentShape {
  std::size_t heads = 0;
  std::size_t decays = 1, writes = 1;  // numbers of decay and write factors per head and token: 1, or one per channel
  // If queries read the state: the number of heads of queries and of keys, the width of a key, and the width of a value.
  std::size_t key_heads = 0, key_dim = 0, value_dim = 0;
};

/// Properties of a block that a stack needs before the block exists. Each block's class computes them from its spec; defaults mean
/// that the block lacks the property.
struct BlockTraits {
  CacheLayer cache = {};            // cache for the sequence's own tokens
  CacheLayer cross_cache = {};      // cache for the encoder's output
  HeadShape heads = {};             // the heads of its self-attention
  const RopeSpec* rope = nullptr;   // the RoPE of its queries and keys: a part of the spec
  bool reads_layer_input = false;   // whether it reads Pass::layer_input
  bool keeps_first_values = false;  // whether it uses Pass::first_values
  // The points that the block has:
  Point out = Point::mixed;    // the block's addition to the residual stream
  HeadShape cross_heads = {};  // the heads of its cross-attention
  RecurrentShape recurrent = {};
  bool shows_gate = false, shows_gated = false;  // whether it has Point::gate and Point::gated, shaped as head outputs
  bool shows_pre = false, shows_up = false;      // whether it has Point::pre and Point::up
  std::size_t experts = 0;
  std::size_t hidden = 0, used = 1, shared = 0;  // of feed-forward blocks: F, experts per token, F of the shared expert
};

class Block {
 public:
  virtual ~Block() = default;

  /// h: T x D, replaced by the block's output.
  virtual void operator()(Activations h, Pass& pass) const noexcept = 0;

  /// Of attention: stores the keys and values of h, but computes no output.
  virtual void remember(Activations /*h*/, Pass& /*pass*/) const noexcept {}

  /// Replaces h by the block's output, after remember() has stored all keys and values: every row attends to all encoder_positions
  /// of the cross_cache of the pass's only segment.
  virtual void recall(Activations h, Pass& pass) const noexcept { (*this)(h, pass); }

  /// The matrix that multiplies the heads' outputs directly; nullptr for blocks without heads, and if a gate comes in between.
  virtual const Linear* heads_output() const noexcept { return nullptr; }

  /// The block's output matrix, whether or not a gate or a norm comes before it; nullptr if there is not exactly one.
  virtual const Linear* output() const noexcept { return heads_output(); }

  /// For a block of experts: the contribution of each expert that a token chose along a direction u (D), best expert first. router:
  /// the logits; hidden: the values at Point::hidden (used x F). Empty for other blocks, and if outputs are not just summed. Throws
  /// std::bad_alloc.
  virtual std::vector<std::pair<std::uint32_t, double>> expert_terms(std::span<const float> /*router*/,
                                                                     std::span<const float> /*hidden*/,
                                                                     std::span<const double> /*u*/,
                                                                     const kernels::Kernels& /*kernels*/) const {
    return {};
  }

  /// The matrix that a head applies to its cached values before its part of the output matrix; nullptr if there is none.
  virtual const Linear* values_up(std::size_t /*head*/) const noexcept { return nullptr; }

  /// For cross-attention: stores projections of the encoder's output (M x D) in the cross-attention cache of the pass's only
  /// segment.
  virtual void cache_encoder_output(Activations /*encoded*/, Pass& /*pass*/) const noexcept {}
};

}  // namespace heed::nn
