#include "nn/scaled_dot_product.hpp"

#include <algorithm>
#include <span>

namespace heed::nn {
namespace {

std::uint64_t chunks_of(std::uint64_t positions) noexcept {
  return (positions + kernels::kAttentionChunk - 1) / kernels::kAttentionChunk;
}

}  // namespace

std::size_t ScaledDotProduct::Tile::first_chunk() const noexcept {
  std::size_t first = queries[0].begin;
  for (std::size_t q = 1; q < count; ++q) first = std::min(first, queries[q].begin);
  return first / kernels::kAttentionChunk;
}

std::size_t ScaledDotProduct::Tile::end_chunk() const noexcept {
  std::size_t end = queries[0].end;
  for (std::size_t q = 1; q < count; ++q) end = std::max(end, queries[q].end);
  return static_cast<std::size_t>(chunks_of(end));
}

ScratchNeed ScaledDotProduct::need(const Shape& shape, const Extent& extent) noexcept {
  const std::uint64_t partials = shape.heads * chunks_of(extent.positions);
  const std::uint64_t rows = std::max<std::uint64_t>(extent.threads * kernels::kQueryTile, partials);
  return ScratchNeed()
      .take<float>(extent.threads * kernels::attention_scratch(shape.key_dim, shape.value_dim))
      .take<float>(rows * kernels::padded(shape.value_dim))
      .take<kernels::AttentionPartial>(partials);
}

/// Queries of one kv head go in tiles: those of its group of heads for each token in turn.
void ScaledDotProduct::operator()(const Batch& batch, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t threads = pass.pool.threads();
  const std::size_t chunks = static_cast<std::size_t>(chunks_of(batch.positions));
  const std::size_t rows = std::max(threads * kernels::kQueryTile, shape_.heads * chunks);
  const Room room{
      pass.scratch.take<float>(threads * kernels::attention_scratch(shape_.key_dim, shape_.value_dim)),
      pass.scratch.take<float>(rows * kernels::padded(shape_.value_dim)),
      pass.scratch.take<kernels::AttentionPartial>(shape_.heads * chunks)};

  const std::size_t tiles = shape_.kv_heads * tiles_of(pass.tokens * (shape_.heads / shape_.kv_heads));
  if (pass.tokens == 1 && chunks > 1) return split(batch, room, tiles, pass);
  pass.pool.parallel_for(tiles, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    for (std::size_t i = begin; i < end; ++i) {
      Tile tile = make_tile(i, thread, batch, room, pass);
      for (std::size_t q = 0; q < tile.count; ++q)
        tile.queries[q].partial.mixed = partial_row(thread * kernels::kQueryTile + q, room);
      pass.kernels.attention(tile.args(), tile.first_chunk(), tile.end_chunk());
      for (std::size_t q = 0; q < tile.count; ++q)
        pass.kernels.finish_attention(tile.queries[q], shape_.value_dim, tile.outputs[q]);
    }
  });
}

/// The same for one token, which has few tiles but may have many chunks: each chunk of a tile is a task.
void ScaledDotProduct::split(const Batch& batch, const Room& room, std::size_t tiles, Pass& pass) const noexcept {
  const Tile any = make_tile(0, 0, batch, room, pass);  // all see the same positions
  const std::size_t first = any.first_chunk(), chunks = any.end_chunk() - first;
  pass.pool.parallel_for(tiles * chunks, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    for (std::size_t task = begin; task < end; ++task) {
      const std::size_t chunk = task % chunks;
      Tile tile = make_tile(task / chunks, thread, batch, room, pass);
      for (std::size_t q = 0; q < tile.count; ++q)
        tile.queries[q].partial.mixed = partial_row(tile.heads[q] * chunks + chunk, room);
      pass.kernels.attention(tile.args(), first + chunk, first + chunk + 1);
      for (std::size_t q = 0; q < tile.count; ++q)
        room.partials[tile.heads[q] * chunks + chunk] = tile.queries[q].partial;
    }
  });
  pass.pool.parallel_for(tiles, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    for (std::size_t i = begin; i < end; ++i) {
      Tile tile = make_tile(i, thread, batch, room, pass);
      for (std::size_t q = 0; q < tile.count; ++q) {
        const std::span of_head(room.partials + tile.heads[q] * chunks, chunks);
        for (const auto& later : of_head.subspan(1)) pass.kernels.merge_attention(later, shape_.value_dim, of_head[0]);
        tile.queries[q].partial = of_head[0];
        pass.kernels.finish_attention(tile.queries[q], shape_.value_dim, tile.outputs[q]);
      }
    }
  });
}

std::size_t ScaledDotProduct::tiles_of(std::size_t queries) const noexcept {
  return (queries + kernels::kQueryTile - 1) / kernels::kQueryTile;
}

ScaledDotProduct::Tile ScaledDotProduct::make_tile(std::size_t index, std::size_t thread, const Batch& batch,
                                                   const Room& room, Pass& pass) const noexcept {
  const std::size_t group = shape_.heads / shape_.kv_heads, queries = pass.tokens * group;
  const std::size_t kv_head = index / tiles_of(queries), first = index % tiles_of(queries) * kernels::kQueryTile;
  Tile tile{.kv = batch.cache.head(pass.layer, kv_head),
            .scale = rules_.scale,
            .softcap = rules_.softcap,
            .scratch = room.kernel + thread * kernels::attention_scratch(shape_.key_dim, shape_.value_dim),
            .count = std::min(kernels::kQueryTile, queries - first),
            .queries = {},
            .heads = {},
            .outputs = {}};
  for (std::size_t q = 0; q < tile.count; ++q) {
    const std::size_t t = (first + q) / group, head = kv_head * group + (first + q) % group;
    const std::size_t position = pass.position + t, end = rules_.causal ? position + 1 : batch.positions;
    tile.heads[q] = head;
    tile.outputs[q] = batch.mixed + (t * shape_.heads + head) * shape_.value_dim;
    tile.queries[q] = {.query = batch.queries + (t * shape_.heads + head) * shape_.key_dim,
                       .begin = rules_.window != 0 && end > rules_.window ? end - rules_.window : 0,
                       .end = end,
                       .weights = batch.sink ? batch.sink->row(pass.layer, head, position) : nullptr,
                       .bias = batch.bias.row(head, position),
                       .sink = rules_.sinks ? rules_.sinks + head : nullptr,
                       .partial = {}};
  }
  return tile;
}

}  // namespace heed::nn
