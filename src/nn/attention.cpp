#include "nn/attention.hpp"

#include <algorithm>
#include <span>

namespace heed::nn {

Attention::Attention(const AttentionSpec& spec, std::size_t width, const std::string& name, const Rope* rope,
                     Weights& weights)
    : spec_(spec), rope_(rope) {
  const std::size_t queries = spec.heads * spec.head_dim, keys = spec.kv_heads * spec.head_dim;
  const RowOrder order = spec.rope && spec.rope->pairing == RopePairing::interleaved
                             ? RowOrder::halves_from_interleaved(spec.head_dim, spec.rope->dims)
                             : RowOrder{};
  if (const std::string fused = name + ".attn_qkv"; weights.contains(fused + ".weight")) {
    const std::size_t all = queries + 2 * keys;
    q_proj_ = weights.linear(fused, queries, width, spec.biased, order, {0, all});
    k_proj_ = weights.linear(fused, keys, width, spec.biased, order, {queries, all});
    v_proj_ = weights.linear(fused, keys, width, spec.biased, {}, {queries + keys, all});
  } else {
    q_proj_ = weights.linear(name + ".attn_q", queries, width, spec.biased, order);
    k_proj_ = weights.linear(name + ".attn_k", keys, width, spec.biased, order);
    v_proj_ = weights.linear(name + ".attn_v", keys, width, spec.biased);
  }
  o_proj_ = weights.linear(name + ".attn_output", width, queries, spec.biased);
}

void Attention::operator()(Activations h, Pass& pass) const noexcept {
  Scratch& s = pass.scratch;
  project(h.data, h.tokens, {{&q_proj_, s.q.data()}, {&k_proj_, s.k.data()}, {&v_proj_, s.v.data()}}, pass);
  rotate_and_store(pass);
  attend(pass);
  project(s.mixed.data(), h.tokens, {{&o_proj_, h.data}}, pass);
}

void Attention::rotate_and_store(Pass& pass) const noexcept {
  Scratch& s = pass.scratch;
  pass.pool.parallel_for(pass.tokens.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      float* q = s.q.data() + t * spec_.heads * spec_.head_dim;
      float* k = s.k.data() + t * spec_.kv_heads * spec_.head_dim;
      const float* v = s.v.data() + t * spec_.kv_heads * spec_.head_dim;
      if (rope_) {
        (*rope_)(q, spec_.heads, spec_.head_dim, t, pass);
        (*rope_)(k, spec_.kv_heads, spec_.head_dim, t, pass);
      }
      for (std::size_t head = 0; head < spec_.kv_heads; ++head)
        pass.kernels.store_kv(pass.cache.head(pass.layer, head), pass.position + t, k + head * spec_.head_dim,
                              v + head * spec_.head_dim);
    }
  });
}

/// mixed[t][head] = softmax(scale q k) v over the positions up to the token's own. Queries of one kv head go in tiles:
/// those of `group` heads for each token in turn.
void Attention::attend(Pass& pass) const noexcept {
  const std::size_t positions = pass.position + pass.tokens.size();
  const std::size_t chunks = (positions + kernels::kAttentionChunk - 1) / kernels::kAttentionChunk;
  const std::size_t queries = pass.tokens.size() * (spec_.heads / spec_.kv_heads);
  const std::size_t tiles = spec_.kv_heads * tiles_of(queries);
  if (pass.tokens.size() == 1 && chunks > 1) return attend_split(pass, tiles, chunks);

  pass.pool.parallel_for(tiles, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    for (std::size_t i = begin; i < end; ++i) {
      Tile tile = make_tile(i, thread, pass);
      for (std::size_t q = 0; q < tile.count; ++q)
        tile.queries[q].partial.mixed = partial_row(thread * kernels::kQueryTile + q, pass);
      pass.kernels.attention(tile.args(), 0, chunks);
      for (std::size_t q = 0; q < tile.count; ++q)
        pass.kernels.finish_attention(tile.queries[q], spec_.head_dim, tile.outputs[q]);
    }
  });
}

/// The same for one token, which has few tiles but may have many chunks: each chunk of a tile is a task.
void Attention::attend_split(Pass& pass, std::size_t tiles, std::size_t chunks) const noexcept {
  std::span<kernels::AttentionPartial> partials = pass.scratch.partials.span();  // [head][chunk]
  pass.pool.parallel_for(tiles * chunks, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    for (std::size_t task = begin; task < end; ++task) {
      const std::size_t chunk = task % chunks;
      Tile tile = make_tile(task / chunks, thread, pass);
      for (std::size_t q = 0; q < tile.count; ++q)
        tile.queries[q].partial.mixed = partial_row(tile.heads[q] * chunks + chunk, pass);
      pass.kernels.attention(tile.args(), chunk, chunk + 1);
      for (std::size_t q = 0; q < tile.count; ++q) partials[tile.heads[q] * chunks + chunk] = tile.queries[q].partial;
    }
  });
  pass.pool.parallel_for(tiles, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    for (std::size_t i = begin; i < end; ++i) {
      Tile tile = make_tile(i, thread, pass);
      for (std::size_t q = 0; q < tile.count; ++q) {
        const auto of_head = partials.subspan(tile.heads[q] * chunks, chunks);
        for (const auto& later : of_head.subspan(1)) pass.kernels.merge_attention(later, spec_.head_dim, of_head[0]);
        tile.queries[q].partial = of_head[0];
        pass.kernels.finish_attention(tile.queries[q], spec_.head_dim, tile.outputs[q]);
      }
    }
  });
}

std::size_t Attention::tiles_of(std::size_t queries) const noexcept {
  return (queries + kernels::kQueryTile - 1) / kernels::kQueryTile;
}

float* Attention::partial_row(std::size_t row, Pass& pass) const noexcept {
  return pass.scratch.partial_mixed.data() + row * kernels::padded(spec_.head_dim);
}

Attention::Tile Attention::make_tile(std::size_t index, std::size_t thread, Pass& pass) const noexcept {
  const std::size_t group = spec_.heads / spec_.kv_heads, queries = pass.tokens.size() * group;
  const std::size_t kv_head = index / tiles_of(queries), first = index % tiles_of(queries) * kernels::kQueryTile;
  Tile tile{.kv = pass.cache.head(pass.layer, kv_head),
            .scale = spec_.scale,
            .scratch = pass.scratch.attention.data() + thread * kernels::attention_scratch(spec_.head_dim),
            .count = std::min(kernels::kQueryTile, queries - first),
            .queries = {},
            .heads = {},
            .outputs = {}};
  for (std::size_t q = 0; q < tile.count; ++q) {
    const std::size_t t = (first + q) / group, head = kv_head * group + (first + q) % group;
    const std::size_t position = pass.position + t, at = (t * spec_.heads + head) * spec_.head_dim;
    tile.heads[q] = head;
    tile.outputs[q] = pass.scratch.mixed.data() + at;
    tile.queries[q] = {.query = pass.scratch.q.data() + at,
                       .begin = 0,
                       .end = position + 1,
                       .weights = pass.attention ? pass.attention->row(pass.layer, head, position) : nullptr,
                       .partial = {}};
  }
  return tile;
}

}  // namespace heed::nn
