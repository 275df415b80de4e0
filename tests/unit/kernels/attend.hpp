// Attention from its kernels, as the block does it: any number of queries, chunk after chunk or in parts.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "kernels/kernels.hpp"
#include "tensor/buffer.hpp"

namespace heed::test {

/// A cache of one head: its chunks lie in any order, with another head's share before its own.
struct OneHead {
  std::vector<Buffer<std::byte>> memory;
  std::vector<kernels::KvChunk> chunks;
  kernels::KvHead head;

  OneHead(KvType type, std::size_t key_dim, std::size_t value_dim, std::size_t positions) {
    const auto bytes = static_cast<std::size_t>(kernels::kv_chunk_bytes(type, key_dim, value_dim));
    for (std::size_t first = 0; first < positions; first += kernels::kAttentionChunk) {
      memory.emplace_back(2 * bytes);
      chunks.push_back({memory.back().data(), bytes});
    }
    head = {type, key_dim, value_dim, chunks.data(), 1};
  }
  OneHead(const OneHead&) = delete;
};

struct SeenQuery {
  std::vector<float> query;
  std::size_t begin, end;
  std::vector<float> bias = {};  // padded(end), or empty
  std::optional<float> sink = {};
};

struct Attended {
  std::vector<float> output, weights;
};

struct HowToAttend {
  float scale = 1, softcap = 0;
  std::size_t together = kernels::kQueryTile;  // queries of a call
  bool split = false;                          // each chunk on its own, and merged
  bool wants_weights = true;
};

inline std::vector<Attended> attend(const kernels::Kernels& kernels, const kernels::KvHead& kv,
                                    const std::vector<SeenQuery>& queries, const HowToAttend& how) {
  const std::size_t width = kernels::padded(kv.value_dim);
  std::vector<Attended> results(queries.size());
  std::vector<float> scratch(kernels::attention_scratch(kv.key_dim, kv.value_dim));
  for (std::size_t first = 0; first < queries.size(); first += how.together) {
    kernels::AttentionQuery tile[kernels::kMostQueries];
    const std::size_t count = std::min(how.together, queries.size() - first);
    std::vector<float> rows(count * width);
    std::size_t begin = queries[first].begin, end = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const SeenQuery& q = queries[first + i];
      results[first + i] = {std::vector<float>(kv.value_dim), std::vector<float>(how.wants_weights ? q.end : 0, -7.0f)};
      tile[i] = {.query = q.query.data(),
                 .begin = q.begin,
                 .end = q.end,
                 .weights = how.wants_weights ? results[first + i].weights.data() : nullptr,
                 .bias = q.bias.empty() ? nullptr : q.bias.data(),
                 .sink = q.sink ? &*q.sink : nullptr,
                 .partial = {0, 0, rows.data() + i * width}};
      begin = std::min(begin, q.begin);
      end = std::max(end, q.end);
    }
    const std::size_t chunk = begin / kernels::kAttentionChunk;
    const std::size_t chunks = kernels::chunks_of(end);
    if (!how.split) {
      kernels.attention({kv, how.scale, how.softcap, tile, count, scratch.data()}, chunk, chunks);
    } else {
      for (std::size_t c = chunk; c < chunks; ++c) {
        kernels::AttentionQuery part[kernels::kMostQueries];
        std::vector<float> part_rows(count * width);
        for (std::size_t i = 0; i < count; ++i) {
          part[i] = tile[i];
          part[i].partial = {0, 0, part_rows.data() + i * width};
        }
        kernels.attention({kv, how.scale, how.softcap, part, count, scratch.data()}, c, c + 1);
        for (std::size_t i = 0; i < count; ++i) kernels.merge_attention(part[i].partial, kv.value_dim, tile[i].partial);
      }
    }
    for (std::size_t i = 0; i < count; ++i) kernels.finish_attention(tile[i], kv, results[first + i].output.data());
  }
  return results;
}

}  // namespace heed::test
