#include "nn/scaled_dot_product.hpp"

#include <algorithm>
#include <span>

namespace heed::nn {
namespace {

/// A single token in a pass with other segments is split only if it has at most this many chunks (see Part).
constexpr std::uint64_t kChunksBeside = 4;

const KvCache& cache_of(const Segment& segment, const ScaledDotProduct::Batch& batch) noexcept {
  return batch.cross ? *segment.cross_cache : segment.cache;
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
  return kernels::chunks_of(end);
}

ScratchNeed ScaledDotProduct::need(const Shape& shape, const PassLimits& limits) noexcept {
  const std::uint64_t beside = limits.segments > 1 ? limits.segments * kChunksBeside : 0;
  const std::uint64_t partials = shape.heads * std::max<std::uint64_t>(kernels::chunks_of(limits.positions), beside);
  return ScratchNeed()
      .allocate<float>(limits.threads * kernels::attention_scratch(shape.key_dim, shape.value_dim))
      .allocate<float>((limits.threads * kernels::kMostQueries + partials) * kernels::padded(shape.value_dim))
      .allocate<kernels::AttentionPartial>(partials)
      .allocate<Part>(limits.segments);
}

/// Queries of one kv head are grouped in tiles: for each token in turn, the queries of the heads that share the kv head. Partials
/// of unsplit tiles are in the rows of their thread; partials of split tiles follow the rows of all threads.
void ScaledDotProduct::operator()(const Batch& batch, Pass& pass) const noexcept {
  pass.visit({Point::query, pass.layer, batch.cross}, batch.queries, shape_.heads, shape_.key_dim);
  const Scratch::Scope scope(pass.scratch);
  const std::size_t threads = pass.pool.threads();
  const std::span parts(pass.scratch.allocate<Part>(pass.segments.size()), pass.segments.size());
  const std::size_t partials = plan(batch, pass, parts.data());
  const Buffers buffers{pass.scratch.allocate<float>(threads * kernels::attention_scratch(shape_.key_dim, shape_.value_dim)),
                        pass.scratch.allocate<float>((threads * kernels::kMostQueries + partials) *
                                                     kernels::padded(shape_.value_dim)),
                        pass.scratch.allocate<kernels::AttentionPartial>(partials)};

  const std::size_t tasks = parts.back().first_task + parts.back().tasks();
  pass.pool.parallel_for(tasks, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    std::size_t p = 0;
    for (std::size_t task = begin; task < end; ++task) {
      while (task >= parts[p].first_task + parts[p].tasks()) ++p;
      run(parts[p], task - parts[p].first_task, thread, batch, buffers, pass);
    }
  });
  for (const Part& part : parts) {
    if (!part.split()) continue;
    pass.pool.parallel_for(part.tiles, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
      for (std::size_t i = begin; i < end; ++i) join(part, i, thread, batch, buffers, pass);
    });
  }
}

/// Creates a part for each segment, and returns how many partials they need.
std::size_t ScaledDotProduct::plan(const Batch& batch, Pass& pass, Part* parts) const noexcept {
  std::size_t tasks = 0, partials = 0;
  for (const Segment& segment : pass.segments) {
    Part& part = *parts++;
    const std::size_t own = rules_.mask.kind == Mask::earlier ? 1 : 0;
    const std::size_t positions = batch.cross ? segment.encoder_positions : segment.end() - own;
    const std::size_t queries = segment.count * (shape_.heads / shape_.kv_heads);
    part = {.segment = &segment,
            .positions = positions,
            .queries = queries,
            .together = together(cache_of(segment, batch).type(), queries, pass.pool.threads()),
            .tiles = 0,
            .first_chunk = 0,
            .chunks = 1,
            .first_task = tasks,
            .first_partial = partials};
    part.tiles = shape_.kv_heads * part.tiles_of_head();
    if (segment.count == 1) {
      const std::size_t seen = rules_.mask.window == 0 ? positions : std::min(positions, rules_.mask.window);
      const std::size_t first = (positions - seen) / kernels::kAttentionChunk, chunks = kernels::chunks_of(positions) - first;
      if (pass.segments.size() == 1 || chunks <= kChunksBeside) {
        part.first_chunk = first;
        part.chunks = chunks;
      }
      if (part.split()) partials += shape_.heads * part.chunks;
    }
    tasks += part.tasks();
  }
  return partials;
}

void ScaledDotProduct::run(const Part& part, std::size_t task, std::size_t thread, const Batch& batch, const Buffers& buffers,
                           Pass& pass) const noexcept {
  Tile tile = make_tile(part, task / part.chunks, thread, batch, buffers, pass, task % part.chunks == 0);
  if (part.split()) {
    const std::size_t chunk = task % part.chunks, own = part.first_partial + chunk;
    const std::size_t first_row = pass.pool.threads() * kernels::kMostQueries;
    for (std::size_t q = 0; q < tile.count; ++q)
      tile.queries[q].partial.mixed = partial_row(first_row + own + tile.heads[q] * part.chunks, buffers);
    pass.kernels.attention(tile.args(), part.first_chunk + chunk, part.first_chunk + chunk + 1);
    for (std::size_t q = 0; q < tile.count; ++q) buffers.partials[own + tile.heads[q] * part.chunks] = tile.queries[q].partial;
    return;
  }
  for (std::size_t q = 0; q < tile.count; ++q)
    tile.queries[q].partial.mixed = partial_row(thread * kernels::kMostQueries + q, buffers);
  pass.kernels.attention(tile.args(), tile.first_chunk(), tile.end_chunk());
  for (std::size_t q = 0; q < tile.count; ++q) finish(tile, q, pass);
}

void ScaledDotProduct::finish(const Tile& tile, std::size_t q, Pass& pass) const noexcept {
  if (tile.given[q]) return;
  if (tile.blind[q]) std::fill_n(tile.outputs[q], shape_.value_dim, 0.0f);
  else pass.kernels.finish_attention(tile.queries[q], tile.kv, tile.outputs[q]);
}

/// Sums the chunks of a tile in order.
void ScaledDotProduct::join(const Part& part, std::size_t index, std::size_t thread, const Batch& batch, const Buffers& buffers,
                            Pass& pass) const noexcept {
  Tile tile = make_tile(part, index, thread, batch, buffers, pass, false);
  for (std::size_t q = 0; q < tile.count; ++q) {
    const std::span of_head(buffers.partials + part.first_partial + tile.heads[q] * part.chunks, part.chunks);
    for (const auto& later : of_head.subspan(1)) pass.kernels.merge_attention(later, shape_.value_dim, of_head[0]);
    tile.queries[q].partial = of_head[0];
    finish(tile, q, pass);
  }
}

std::size_t ScaledDotProduct::together(KvType type, std::size_t queries, std::size_t threads) const noexcept {
  constexpr std::size_t kTilesOfThread = 4;
  std::size_t together = kernels::most_queries(type);
  while (together > kernels::kQueryTile && shape_.kv_heads * queries < together * threads * kTilesOfThread) together /= 2;
  return together;
}

ScaledDotProduct::Tile ScaledDotProduct::make_tile(const Part& part, std::size_t index, std::size_t thread, const Batch& batch,
                                                   const Buffers& buffers, Pass& pass, bool first) const noexcept {
  const Segment& segment = *part.segment;
  const KvCache& cache = cache_of(segment, batch);
  const BiasTable bias = batch.cross ? BiasTable{} : segment.bias;
  const std::size_t group = shape_.heads / shape_.kv_heads, tiles = part.tiles_of_head();
  const std::size_t kv_head = index / tiles, first_query = index % tiles * part.together;
  Tile tile{.kv = cache.head(rules_.keys_of.value_or(pass.layer), kv_head),
            .scale = rules_.scale,
            .softcap = rules_.softcap,
            .scratch = buffers.kernel + thread * kernels::attention_scratch(shape_.key_dim, shape_.value_dim),
            .count = std::min(part.together, part.queries - first_query),
            .queries = {},
            .heads = {},
            .outputs = {},
            .blind = {},
            .given = {}};
  for (std::size_t q = 0; q < tile.count; ++q) {
    const std::size_t t = (first_query + q) / group, row = segment.row + t;
    const std::size_t head = kv_head * group + (first_query + q) % group;
    const std::size_t position = segment.position + t;
    const PositionRange seen = rules_.mask.seen_from(segment, t, part.positions);
    tile.heads[q] = head;
    tile.outputs[q] = batch.mixed + (row * shape_.heads + head) * shape_.value_dim;
    tile.queries[q] = {.query = batch.queries + (row * shape_.heads + head) * shape_.key_dim,
                       .begin = seen.begin,
                       .end = seen.end,
                       .weights = nullptr,
                       .bias = bias.row(head, position),
                       .sink = rules_.sinks ? rules_.sinks + head : nullptr,
                       .partial = {}};
    if (!segment.listener) continue;
    AttentionSight sight{.place = {Point::weights, pass.layer, batch.cross},
                         .head = head,
                         .heads = shape_.heads,
                         .group = group,
                         .position = position,
                         .first = first,
                         .last = t + 1 == segment.count,
                         .from = batch.cross ? 0 : segment.position,
                         .kv = tile.kv,
                         .scale = rules_.scale,
                         .softcap = rules_.softcap,
                         .kernels = pass.kernels,
                         .query = tile.queries[q],
                         .mixed = tile.outputs[q]};
    segment.listener->attend(sight);
    tile.given[q] = !sight.given.empty();
    if (!sight.cut) continue;
    const float* const hidden = tile.queries[q].bias;
    tile.blind[q] = std::all_of(hidden + seen.begin, hidden + seen.end, [](float score) { return score < 0; });
    if (tile.blind[q]) tile.queries[q].weights = nullptr;
  }
  return tile;
}

}  // namespace heed::nn
