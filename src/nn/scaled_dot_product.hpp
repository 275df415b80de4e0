// softmax(scale q k + bias) v over a KV cache, for all heads and queries of a pass (arXiv:1706.03762): how the work is cut
// into tiles and spread over threads. The arithmetic is a kernel's.
#pragma once

#include "nn/pass.hpp"

namespace heed::nn {

class ScaledDotProduct {
 public:
  struct Shape {
    std::size_t heads = 0, kv_heads = 0, key_dim = 0, value_dim = 0;
  };
  struct Rules {
    float scale = 1, softcap = 0;
    std::size_t window = 0;   // 0: none
    bool causal = true;
    const float* sinks = nullptr;  // heads, or nullptr
  };

  ScaledDotProduct(const Shape& shape, const Rules& rules) : shape_(shape), rules_(rules) {}

  static ScratchNeed need(const Shape& shape, const Extent& extent) noexcept;

  /// Where queries come from and go to.
  struct Batch {
    const float* queries;  // T x heads x key_dim
    float* mixed;          // T x heads x value_dim
    bool cross = false;    // they look at the segments' memories, not at their own sequences
  };
  void operator()(const Batch& batch, Pass& pass) const noexcept;

 private:
  /// Queries of one kv head that read the cache together.
  struct Tile {
    kernels::KvHead kv;
    float scale, softcap;
    float* scratch;
    std::size_t count;
    kernels::AttentionQuery queries[kernels::kQueryTile];
    std::size_t heads[kernels::kQueryTile];
    float* outputs[kernels::kQueryTile];

    kernels::AttentionArgs args() noexcept { return {kv, scale, softcap, queries, count, scratch}; }
    std::size_t first_chunk() const noexcept;
    std::size_t end_chunk() const noexcept;
  };
  /// The work on one segment. That on a single token, which has few tiles but may have many chunks, is split: each chunk of a
  /// tile is a task. Beside other segments, which make tasks enough, only while its chunks are few. The sums are the same
  /// either way.
  struct Part {
    const Segment* segment;
    std::size_t positions;    // that there are to be seen
    std::size_t tiles;
    std::size_t first_chunk, chunks;  // of a token's, where it is split; otherwise 0 and 1
    std::size_t first_task;
    std::size_t first_partial;        // [head][chunk], where it is split

    bool split() const noexcept { return chunks > 1; }
    std::size_t tasks() const noexcept { return tiles * chunks; }
  };
  /// Scratch of a pass.
  struct Room {
    float* kernel;                        // threads x attention_scratch
    float* mixed;                         // what partials point to: rows of padded(value_dim)
    kernels::AttentionPartial* partials;  // of parts that are split
  };

  std::size_t plan(const Batch& batch, Pass& pass, Part* parts) const noexcept;
  void run(const Part& part, std::size_t task, std::size_t thread, const Batch& batch, const Room& room,
           Pass& pass) const noexcept;
  void join(const Part& part, std::size_t index, std::size_t thread, const Batch& batch, const Room& room,
            Pass& pass) const noexcept;
  std::size_t tiles_of(std::size_t queries) const noexcept;
  Tile make_tile(const Part& part, std::size_t index, std::size_t thread, const Batch& batch, const Room& room,
                 Pass& pass) const noexcept;
  float* partial_row(std::size_t row, const Room& room) const noexcept {
    return room.mixed + row * kernels::padded(shape_.value_dim);
  }

  Shape shape_;
  Rules rules_;
};

}  // namespace heed::nn
