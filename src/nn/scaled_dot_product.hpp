// softmax(scale q k + bias) v over a KV cache, for all heads and queries of a pass (arXiv:1706.03762): divides the work into
// tiles and distributes them over threads. The arithmetic is the kernel in kernels/generic/attention.hpp.
#pragma once

#include <optional>

#include "nn/attention_mask.hpp"
#include "nn/pass.hpp"
#include "nn/spec.hpp"

namespace heed::nn {

class ScaledDotProduct {
 public:
  struct Shape {
    std::size_t heads = 0, kv_heads = 0, key_dim = 0, value_dim = 0;
  };
  struct Rules {
    float scale = 1, softcap = 0;
    AttentionMask mask = {};
    const float* sinks = nullptr;             // heads, or nullptr
    std::optional<std::size_t> keys_of = {};  // the layer that owns the keys and values; absent: the current layer
  };

  ScaledDotProduct(const Shape& shape, const Rules& rules) : shape_(shape), rules_(rules) {}

  static ScratchNeed need(const Shape& shape, const PassLimits& limits) noexcept;

  /// The queries and the output.
  struct Batch {
    float* queries;      // T x heads x key_dim
    float* mixed;        // T x heads x value_dim
    bool cross = false;  // attend to the encoder output (cross-attention)
  };
  void operator()(const Batch& batch, Pass& pass) const noexcept;

 private:
  /// Queries of one kv head that share one read of the cache.
  struct Tile {
    kernels::KvHead kv;
    float scale, softcap;
    float* scratch;
    std::size_t count;
    kernels::AttentionQuery queries[kernels::kMostQueries];
    std::size_t heads[kernels::kMostQueries];
    float* outputs[kernels::kMostQueries];
    bool blind[kernels::kMostQueries];  // an edit hides all keys, so the output is zero
    bool given[kernels::kMostQueries];  // an edit has written the output

    kernels::AttentionArgs args() noexcept { return {kv, scale, softcap, queries, count, scratch}; }
    std::size_t first_chunk() const noexcept;
    std::size_t end_chunk() const noexcept;
  };
  /// The work on one segment. A single token has few tiles but may have many chunks, so its work is split: each chunk of a tile is
  /// a task. Beside other segments, which provide enough tasks, it is split only if it has few chunks. The results have the same
  /// bits with and without a split.
  struct Part {
    const Segment* segment;
    std::size_t positions;            // number of positions that the segment can attend to
    std::size_t queries;              // queries per kv head
    std::size_t together;             // queries per tile
    std::size_t tiles;                // number of tiles of all kv heads
    std::size_t first_chunk, chunks;  // the chunks that the token sees, if split; otherwise 0 and 1
    std::size_t first_task;
    std::size_t first_partial;  // [head][chunk], if split

    std::size_t tiles_of_head() const noexcept { return (queries + together - 1) / together; }
    bool split() const noexcept { return chunks > 1; }
    std::size_t tasks() const noexcept { return tiles * chunks; }
  };
  /// Scratch memory of a pass.
  struct Buffers {
    float* kernel;                        // threads x attention_scratch
    float* mixed;                         // memory of the partials: rows of padded(value_dim)
    kernels::AttentionPartial* partials;  // of split work
  };

  std::size_t plan(const Batch& batch, Pass& pass, Part* parts) const noexcept;
  void run(const Part& part, std::size_t task, std::size_t thread, const Batch& batch, const Buffers& buffers,
           Pass& pass) const noexcept;
  void join(const Part& part, std::size_t index, std::size_t thread, const Batch& batch, const Buffers& buffers,
            Pass& pass) const noexcept;
  /// How many queries of each kv head to compute at a time: as many as share work, but so few that all threads get several tiles.
  std::size_t together(KvType type, std::size_t queries, std::size_t threads) const noexcept;
  /// `first`: the tile is created for the first time in this pass.
  Tile make_tile(const Part& part, std::size_t index, std::size_t thread, const Batch& batch, const Buffers& buffers, Pass& pass,
                 bool first) const noexcept;
  void finish(const Tile& tile, std::size_t q, Pass& pass) const noexcept;
  float* partial_row(std::size_t row, const Buffers& buffers) const noexcept {
    return buffers.mixed + row * kernels::padded(shape_.value_dim);
  }

  Shape shape_;
  Rules rules_;
};

}  // namespace heed::nn
