// The part of attention that all types of cache share: which positions of a chunk the queries see, and the softmax of their scores.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>

#include "kernels/generic/elementwise.hpp"
#include "kernels/generic/functions.hpp"
#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

/// The queries of one call, at one chunk.
template <class Isa>
class ChunkScores {
 protected:
  explicit ChunkScores(const AttentionArgs& args) : args_(args), key_dim_(args.kv.key_dim), value_dim_(args.kv.value_dim) {}

  /// The number of places for queries in the tile that begins with query `first`: 1, 2 or 4; three queries take four.
  std::size_t places(std::size_t first) const {
    const std::size_t count = args_.count - first;
    return count < 3 ? count : kQueryTile;
  }

  /// Makes `chunk` the current chunk. Returns whether any query sees any of its positions.
  bool begin_chunk(std::size_t chunk) {
    first_ = chunk * kAttentionChunk;
    from_ = kAttentionChunk;
    to_ = 0;
    for (std::size_t q = 0; q < args_.count; ++q) {
      const AttentionQuery& query = args_.queries[q];
      begin_[q] = std::clamp(query.begin, first_, first_ + kAttentionChunk) - first_;
      end_[q] = std::clamp(query.end, first_, first_ + kAttentionChunk) - first_;
      if (begin_[q] == end_[q]) continue;
      from_ = std::min(from_, begin_[q] / kWide * kWide);
      to_ = std::max(to_, padded(end_[q]));
    }
    return from_ < to_;
  }

  /// Calls f with places(first) as a constant.
  template <class F>
  void with_places(std::size_t first, F f) {
    if (places(first) == 1) f(std::integral_constant<std::size_t, 1>{});
    else if (places(first) == 2) f(std::integral_constant<std::size_t, 2>{});
    else f(std::integral_constant<std::size_t, kQueryTile>{});
  }

  /// Replaces the scores of a query by weight(t, e), where e is exp(score - top) of the kWide positions from t on, and zero at
  /// masked ones.
  template <class Weight>
  void soften(std::size_t q, AttentionPartial& partial, Weight weight) {
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    constexpr float kLowest = -3.402823466e38f;
    float* scores = scores_[q];
    if (args_.softcap != 0.0f) softcap<Isa>(scores + from_, args_.softcap, to_ - from_);
    const float* bias = args_.queries[q].bias;
    if (bias && begin_[q] < end_[q]) {  // the query has no bias for further positions
      const std::size_t begin = begin_[q] / kWide * kWide;
      add<Isa>(scores + begin, bias + first_ + begin, padded(end_[q]) - begin);
    }
    std::fill(scores + from_, scores + std::clamp(begin_[q], from_, to_), kMasked);
    std::fill(scores + std::clamp(end_[q], from_, to_), scores + to_, kMasked);
    if (float* weights = args_.queries[q].weights) std::copy(scores + begin_[q], scores + end_[q], weights + first_ + begin_[q]);

    auto tops = Wide<Isa>::splat(kLowest), sums = Wide<Isa>::splat(0.0f);
    for (std::size_t t = from_; t < to_; t += kWide) tops = max(tops, Wide<Isa>::load(scores + t));
    partial.top = largest(tops);
    const auto top = Wide<Isa>::splat(partial.top);
    for (std::size_t t = from_; t < to_; t += kWide) {
      const auto e = map<Isa>([](auto v) { return exp<Isa>(v); }, Wide<Isa>::load(scores + t) - top);
      sums = sums + e;
      weight(t, e).store(scores + t);
    }
    partial.sum = sum(sums);
  }

  /// As above, where the weight is e.
  [[gnu::noinline]] void soften(std::size_t q, AttentionPartial& partial) {
    soften(q, partial, [](std::size_t, const Wide<Isa>& e) { return e; });
  }

  const AttentionArgs& args_;
  std::size_t key_dim_, value_dim_;
  // The current chunk: its first position; the positions that any query attends to, in whole runs of kWide; those of each query.
  std::size_t first_ = 0, from_ = 0, to_ = 0;
  std::size_t begin_[kMostQueries], end_[kMostQueries];
  float scores_[kMostQueries][kAttentionChunk];
};

}  // namespace heed::kernels::generic
