// What one forward pass carries through the blocks.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/thread_pool.hpp"
#include "kernels/kernels.hpp"
#include "nn/attention_sink.hpp"
#include "nn/kv_cache.hpp"
#include "nn/scratch.hpp"

namespace heed::nn {

/// T x D of the residual stream.
struct Activations {
  float* data;
  std::size_t tokens, width;
};

/// Numbers added to the scores of self-attention, by how far the key lies from the query.
struct BiasTable {
  const float* data = nullptr;  // heads x stride
  std::size_t stride = 0;
  std::size_t origin = 0;       // where the distance is 0

  /// Of the query at `position`; add a key's position.
  const float* row(std::size_t head, std::size_t position) const noexcept {
    return data ? data + head * stride + (origin - position) : nullptr;
  }
};

/// Of one rope: T x dims / 2 each.
struct Angles {
  float* cosines = nullptr;
  float* sines = nullptr;
};

/// Tokens of one sequence that follow one another.
struct Segment {
  KvCache& cache;
  std::size_t position = 0;               // of the first of them
  std::size_t count = 0;
  std::size_t row = 0;                    // of the pass, where they begin
  AttentionSink* attention = nullptr;
  // where the stack attends to an encoder
  KvCache* memory = nullptr;
  std::size_t memory_positions = 0;
  AttentionSink* cross_attention = nullptr;
  // what the stack prepares for its layers
  BiasTable bias = {};

  std::size_t end() const noexcept { return position + count; }
};

/// T tokens of one or several sequences. What works on each token by itself does not notice whose it is.
struct Pass {
  const kernels::Kernels& kernels;
  ThreadPool& pool;
  Scratch& scratch;
  std::span<Segment> segments;
  std::size_t tokens = 0;                 // T, of all segments
  std::size_t layer = 0;                  // the one being run
  const std::atomic<bool>* cancel = nullptr;
  // what the stack prepares for its layers
  Angles* angles = nullptr;  // of each rope
  const float* given = nullptr;  // T x D that the layer was given, where one of its blocks asks for it

  /// The segment of row t.
  Segment& of(std::size_t t) const noexcept {
    std::size_t i = 0;
    while (t >= segments[i].row + segments[i].count) ++i;
    return segments[i];
  }
  std::size_t position(std::size_t t) const noexcept {
    const Segment& segment = of(t);
    return segment.position + t - segment.row;
  }
  bool cancelled() const noexcept { return cancel && cancel->load(std::memory_order_relaxed); }
};

}  // namespace heed::nn
