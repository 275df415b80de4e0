// Attention from its kernels, as the block does it: any number of queries, chunk after chunk or in parts.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/kernels.hpp"

namespace heed::test {

struct SeenQuery {
  std::vector<float> query;
  std::size_t begin, end;
};

struct Attended {
  std::vector<float> output, weights;
};

/// Queries in tiles of `together`; where `split`, each chunk on its own, and merged.
inline std::vector<Attended> attend(const kernels::Kernels& kernels, const kernels::KvHead& kv, float scale,
                                    const std::vector<SeenQuery>& queries, std::size_t together = kernels::kQueryTile,
                                    bool split = false, bool wants_weights = true) {
  const std::size_t width = kernels::padded(kv.head_dim);
  std::vector<Attended> results(queries.size());
  std::vector<float> scratch(kernels::attention_scratch(kv.head_dim));
  for (std::size_t first = 0; first < queries.size(); first += together) {
    kernels::AttentionQuery tile[kernels::kQueryTile];
    const std::size_t count = std::min(together, queries.size() - first);
    std::vector<float> rows(count * width);
    std::size_t chunks = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const SeenQuery& q = queries[first + i];
      results[first + i] = {std::vector<float>(kv.head_dim), std::vector<float>(wants_weights ? q.end : 0, -7.0f)};
      tile[i] = {q.query.data(), q.begin, q.end, wants_weights ? results[first + i].weights.data() : nullptr,
                 {0, 0, rows.data() + i * width}};
      chunks = std::max(chunks, (q.end + kernels::kAttentionChunk - 1) / kernels::kAttentionChunk);
    }
    if (!split) {
      kernels.attention({kv, scale, tile, count, scratch.data()}, 0, chunks);
    } else {
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        kernels::AttentionQuery part[kernels::kQueryTile];
        std::vector<float> part_rows(count * width);
        for (std::size_t i = 0; i < count; ++i) {
          part[i] = tile[i];
          part[i].partial = {0, 0, part_rows.data() + i * width};
        }
        kernels.attention({kv, scale, part, count, scratch.data()}, chunk, chunk + 1);
        for (std::size_t i = 0; i < count; ++i)
          kernels.merge_attention(part[i].partial, kv.head_dim, tile[i].partial);
      }
    }
    for (std::size_t i = 0; i < count; ++i)
      kernels.finish_attention(tile[i], kv.head_dim, results[first + i].output.data());
  }
  return results;
}

}  // namespace heed::test
