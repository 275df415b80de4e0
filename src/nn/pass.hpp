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

struct Pass {
  const kernels::Kernels& kernels;
  ThreadPool& pool;
  Scratch& scratch;
  KvCache& cache;
  std::size_t tokens = 0;                 // T, at positions [position, position + T)
  std::size_t position = 0;
  std::size_t layer = 0;                  // the one being run
  AttentionSink* attention = nullptr;
  // where the stack attends to an encoder
  KvCache* memory = nullptr;
  std::size_t memory_positions = 0;
  AttentionSink* cross_attention = nullptr;

  const std::atomic<bool>* cancel = nullptr;
  // what the stack prepares for its layers
  Angles* angles = nullptr;  // of each rope
  BiasTable bias = {};

  std::size_t end() const noexcept { return position + tokens; }
  bool cancelled() const noexcept { return cancel && cancel->load(std::memory_order_relaxed); }
};

}  // namespace heed::nn
