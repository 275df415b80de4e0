// The interface of a sublayer's computation, such as attention over positions or an MLP over channels.
#pragma once

#include "nn/linear.hpp"
#include "nn/pass.hpp"
#include "nn/spec.hpp"

namespace heed::nn {

/// The heads of softmax attention; none where there is none.
struct HeadShape {
  std::size_t count = 0, dim = 0;  // of queries; what each gives
  std::size_t cached_dim = 0;      // of a cached value, which the block may still project (Block::values_up)
  std::size_t kv_count = 0, key_dim = 0;
  bool gated = false;  // a gate comes between what they give and the output matrix
};

/// What a stack must know of a block before the block exists. The class of each block computes it from its spec, beside its
/// ScratchNeed; what is left out, the block does not have.
struct BlockTraits {
  CacheLayer cache = {};           // what it caches of the sequence
  CacheLayer cross_cache = {};     // what it caches of an encoder's output
  HeadShape heads = {};            // of its self-attention
  const RopeSpec* rope = nullptr;  // the RoPE of its queries and keys: a part of the spec
  bool reads_layer_input = false;  // Pass::layer_input
  // the points that it has
  Point out = Point::mixed;    // what it adds to the stream
  HeadShape cross_heads = {};  // of its cross-attention
  std::size_t gates = 0;       // heads of a recurrent layer
  std::size_t experts = 0;
  std::size_t hidden = 0, used = 1, shared = 0;  // the widths of feed-forward blocks, and how many experts a token goes through
};

class Block {
 public:
  virtual ~Block() = default;

  /// h: T x D, replaced by the block's output.
  virtual void operator()(Activations h, Pass& pass) const noexcept = 0;

  /// The matrix that what the heads give goes through and nothing else; nullptr for other blocks, and where a gate comes between.
  virtual const Linear* heads_output() const noexcept { return nullptr; }

  /// What a head applies to its cached values before that matrix, if anything.
  virtual const Linear* values_up(std::size_t /*head*/) const noexcept { return nullptr; }

  /// Stores what the block needs of the encoder's output (M x D) in the cross-attention cache of the pass's one segment; only
  /// cross-attention does.
  virtual void cache_encoder_output(Activations /*encoded*/, Pass& /*pass*/) const noexcept {}
};

}  // namespace heed::nn
