// What one forward pass carries through the blocks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/kernels.hpp"
#include "nn/attention_sink.hpp"
#include "nn/kv_cache.hpp"
#include "nn/spec.hpp"
#include "base/thread_pool.hpp"
#include "tensor/buffer.hpp"

namespace heed::nn {

/// T x D of the residual stream.
struct Activations {
  float* data;
  std::size_t tokens, width;
};

/// Memory of a pass over at most `tokens` tokens, made once.
struct Scratch {
  /// Throws std::bad_alloc.
  Scratch(const DecoderSpec& spec, std::size_t tokens, std::size_t positions, std::size_t threads);
  /// What the constructor will take, in bytes.
  static std::uint64_t bytes(const DecoderSpec& spec, std::size_t tokens, std::size_t positions, std::size_t threads);

  Buffer<float> x, h;              // T x D: the residual stream, and a sublayer's input and output
  Buffer<float> q, mixed;          // T x (heads * head_dim)
  Buffer<float> k, v;              // T x (kv_heads * head_dim)
  Buffer<float> gate, up;          // T x F
  Buffer<float> cosines, sines;    // T x rope dims / 2
  Buffer<float> attention;         // threads x attention_scratch(head_dim)
  // of a tile of queries on each thread, or of every head and chunk: what they have seen so far
  Buffer<float> partial_mixed;     // x padded(head_dim)
  Buffer<kernels::AttentionPartial> partials;
  Buffer<std::byte> quantised;     // kernels::quantised_bytes(T, K), K the widest input of a product
  Buffer<std::byte> expanded;      // threads x kernels::matmul_scratch(K)
};

struct Pass {
  const kernels::Kernels& kernels;
  ThreadPool& pool;
  KvCache& cache;
  Scratch& scratch;
  std::span<const std::int32_t> tokens;   // T ids, at positions [position, position + T)
  std::size_t position = 0;
  std::size_t layer = 0;                  // the one being run
  AttentionSink* attention = nullptr;
  const std::atomic<bool>* cancel = nullptr;

  bool cancelled() const noexcept { return cancel && cancel->load(std::memory_order_relaxed); }
};

}  // namespace heed::nn
