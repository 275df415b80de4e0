// Scaled dot-product attention (arXiv:1706.03762) over a KV cache.
//
// Positions are taken in chunks that begin at fixed places: softmax within a chunk, and online from chunk to chunk
// (arXiv:1805.02867). Up to four queries of one kv head read the cache together. Both products are of the same small
// shape: scores from keys that lie [head_dim][16 positions], mixtures from values that lie [position][head_dim]. A column
// is a lane, summed along its rows in order, so that neither the batch, nor who took which chunk, nor the width of
// vectors changes a bit.
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/generic/elementwise.hpp"
#include "kernels/generic/kv_elements.hpp"

namespace heed::kernels::generic {

/// out[q][c] += sum over i < n, in order, of a[q][i] * b[i * stride + c], for the columns of two vectors (or one of 16).
template <class Isa, class Elements, std::size_t kQueries>
void multiply_tile(const float* const* a, std::size_t n, const typename Elements::Element* b, std::size_t stride,
                   float* const* out, std::size_t column) {
  constexpr std::size_t kVectors = Isa::kLanes < kTile ? 2 : 1;
  typename Isa::F32 sums[kQueries][kVectors];
  for (std::size_t q = 0; q < kQueries; ++q)
    for (std::size_t v = 0; v < kVectors; ++v) sums[q][v] = Isa::load(out[q] + column + v * Isa::kLanes);
  b += column;
  for (std::size_t i = 0; i < n; ++i, b += stride) {
    typename Isa::F32 row[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = Elements::load(b + v * Isa::kLanes);
    for (std::size_t q = 0; q < kQueries; ++q) {
      const auto factor = Isa::splat(a[q][i]);
      for (std::size_t v = 0; v < kVectors; ++v) sums[q][v] = Isa::add(sums[q][v], Isa::mul(factor, row[v]));
    }
  }
  for (std::size_t q = 0; q < kQueries; ++q)
    for (std::size_t v = 0; v < kVectors; ++v) Isa::store(out[q] + column + v * Isa::kLanes, sums[q][v]);
}

/// out[q] += a[q] (n) times b (n rows of `stride`), `columns` of them, a multiple of 16, for `count` of at most four q.
/// A tile's place that is over computes the last query once more, into `spare`.
template <class Isa, class Elements>
void multiply(const float* const* a, std::size_t count, std::size_t n, const typename Elements::Element* b,
              std::size_t stride, std::size_t columns, float* const* out, float* spare) {
  constexpr std::size_t kStep = Isa::kLanes < kTile ? 2 * Isa::kLanes : kTile;
  const float* padded_a[kQueryTile] = {};
  float* padded_out[kQueryTile] = {};
  for (std::size_t q = 0; q < kQueryTile; ++q) {
    padded_a[q] = a[std::min(q, count - 1)];
    padded_out[q] = q < count ? out[q] : spare;
  }
  for (std::size_t column = 0; column < columns; column += kStep) {
    if (count == 1) multiply_tile<Isa, Elements, 1>(a, n, b, stride, out, column);
    else if (count == 2) multiply_tile<Isa, Elements, 2>(a, n, b, stride, out, column);
    else multiply_tile<Isa, Elements, kQueryTile>(padded_a, n, b, stride, padded_out, column);
  }
}

template <class Isa>
float exp_of(float x) {
  float lanes[kTile];
  map<Isa>([](auto v) { return exp<Isa>(v); }, Wide<Isa>::splat(x)).store(lanes);
  return lanes[0];
}

template <class Isa>
void merge_attention(const AttentionPartial& from, std::size_t value_dim, AttentionPartial& into) noexcept {
  if (from.sum == 0.0f) return;
  const bool first = into.sum == 0.0f;
  const float top = first || into.top < from.top ? from.top : into.top;
  const float ours = first ? 0.0f : exp_of<Isa>(into.top - top), theirs = exp_of<Isa>(from.top - top);
  for (std::size_t i = 0; i < padded(value_dim); i += kTile) {
    const auto added = Wide<Isa>::load(from.mixed + i) * Wide<Isa>::splat(theirs);
    (first ? added : Wide<Isa>::load(into.mixed + i) * Wide<Isa>::splat(ours) + added).store(into.mixed + i);
  }
  into.sum = first ? from.sum : into.sum * ours + from.sum * theirs;
  into.top = top;
}

template <class Isa>
void finish_attention(const AttentionQuery& query, std::size_t value_dim, float* output) noexcept {
  if (query.partial.sum == 0.0f)  // every score is NaN
    return std::fill(output, output + value_dim, std::numeric_limits<float>::quiet_NaN());
  const float share = query.sink ? exp_of<Isa>(*query.sink - query.partial.top) : 0.0f;
  const auto inverse = Wide<Isa>::splat(1.0f / (query.partial.sum + share));
  for_each_tile(value_dim, [&](std::size_t i, std::size_t count) {
    store_tile<Isa>(output + i, count, Wide<Isa>::load(query.partial.mixed + i) * inverse);
  });
  if (!query.weights) return;
  std::fill(query.weights, query.weights + query.begin, 0.0f);
  float* seen = query.weights + query.begin;
  const auto top = Wide<Isa>::splat(query.partial.top);
  for_each_tile(query.end - query.begin, [&](std::size_t i, std::size_t count) {
    const auto e = map<Isa>([](auto v) { return exp<Isa>(v); }, load_tile<Isa>(seen + i, count) - top);
    store_tile<Isa>(seen + i, count, e * inverse);
  });
}

/// The queries of one call, chunk after chunk.
template <class Isa, KvType kType>
class AttentionTile {
  using Elements = KvElements<Isa, kType>;
  using Element = typename Elements::Element;
  // What keys have too little is on the queries already, all but a part that leaves room for large ones.
  static constexpr float kReserve = kType == KvType::f16 ? 0x1p12f : 1.0f;

 public:
  explicit AttentionTile(const AttentionArgs& args) : args_(args), width_(padded(args.kv.value_dim)) {
    const float factor = args.scale * (Elements::kUnit / kReserve);
    for (std::size_t q = 0; q < args.count; ++q)
      for (std::size_t i = 0; i < args.kv.key_dim; ++i) scaled_query(q)[i] = args.queries[q].query[i] * factor;
  }

  void add_chunk(std::size_t chunk) {
    first_ = chunk * kAttentionChunk;
    place_ = first_ % args_.kv.places;
    AttentionPartial partials[kQueryTile];
    count_ = 0;
    for (std::size_t q = 0; q < args_.count; ++q) {
      const AttentionQuery& query = args_.queries[q];
      if (query.begin >= first_ + kAttentionChunk || query.end <= first_) continue;
      query_[count_] = q;
      begin_[count_] = std::max(query.begin, first_) - first_;
      end_[count_] = std::min(query.end, first_ + kAttentionChunk) - first_;
      mixed_[count_] = partials[count_].mixed = mixed_row(q);
      ++count_;
    }
    if (count_ == 0) return;
    score();
    for (std::size_t i = 0; i < count_; ++i) weigh(i, partials[i]);
    mix();
    for (std::size_t i = 0; i < count_; ++i)
      merge_attention<Isa>(partials[i], args_.kv.value_dim, args_.queries[query_[i]].partial);
  }

 private:
  float* scaled_query(std::size_t q) { return args_.scratch + q * padded(args_.kv.key_dim); }
  float* mixed_row(std::size_t q) { return scaled_query(kQueryTile) + q * width_; }
  float* spare() { return mixed_row(kQueryTile); }

  void score() {
    const std::size_t from = *std::min_element(begin_, begin_ + count_) / kTile * kTile;
    const std::size_t to = *std::max_element(end_, end_ + count_);
    const float* queries[kQueryTile];
    float *scores[kQueryTile], unused[kTile] = {};
    for (std::size_t i = 0; i < count_; ++i) queries[i] = scaled_query(query_[i]);
    for (std::size_t t = from; t < to; t += kTile) {
      for (std::size_t i = 0; i < count_; ++i) {
        scores[i] = scores_[i] + t;
        Wide<Isa>::splat(0.0f).store(scores[i]);
      }
      const Element* keys = static_cast<const Element*>(args_.kv.keys) + (place_ + t) * args_.kv.key_dim;
      multiply<Isa, Elements>(queries, count_, args_.kv.key_dim, keys, kTile, kTile, scores, unused);
    }
  }

  /// Scores to exponentials, and to what multiplies the stored values.
  void weigh(std::size_t i, AttentionPartial& partial) {
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    constexpr float kLowest = -3.402823466e38f;
    float* scores = scores_[i];
    const float* bias = args_.queries[query_[i]].bias;
    const std::size_t from = begin_[i] / kTile * kTile, to = (end_[i] + kTile - 1) / kTile * kTile;
    for (std::size_t t = from; t < to; t += kTile) {
      auto score = Wide<Isa>::load(scores + t) * Wide<Isa>::splat(kReserve);
      if constexpr (kType == KvType::int8) score = score * Wide<Isa>::load(args_.kv.key_scales + place_ + t);
      score.store(scores + t);
    }
    if (args_.softcap != 0.0f) softcap<Isa>(scores + from, args_.softcap, to - from);
    if (bias) add<Isa>(scores + from, bias + first_ + from, to - from);
    std::fill(scores + from, scores + begin_[i], kMasked);
    std::fill(scores + end_[i], scores + to, kMasked);
    if (float* weights = args_.queries[query_[i]].weights)
      std::copy(scores + begin_[i], scores + end_[i], weights + first_ + begin_[i]);

    auto tops = Wide<Isa>::splat(kLowest), sums = Wide<Isa>::splat(0.0f);
    for (std::size_t t = from; t < to; t += kTile) tops = max(tops, Wide<Isa>::load(scores + t));
    partial.top = largest(tops);
    const auto top = Wide<Isa>::splat(partial.top);
    for (std::size_t t = from; t < to; t += kTile) {
      auto e = map<Isa>([](auto v) { return exp<Isa>(v); }, Wide<Isa>::load(scores + t) - top);
      sums = sums + e;
      if constexpr (kType == KvType::int8) e = e * Wide<Isa>::load(args_.kv.value_scales + place_ + t);
      (e * Wide<Isa>::splat(Elements::kUnit)).store(scores + t);
    }
    partial.sum = sum(sums);
  }

  /// Together only over positions that all of them see: what a query must not see may not touch it even times zero.
  void mix() {
    const std::size_t from = *std::max_element(begin_, begin_ + count_);
    const std::size_t to = std::max(from, *std::min_element(end_, end_ + count_));
    for (std::size_t i = 0; i < count_; ++i) {
      std::fill(mixed_[i], mixed_[i] + width_, 0.0f);
      mix(i, 1, begin_[i], std::min(from, end_[i]));
    }
    mix(0, count_, from, to);
    for (std::size_t i = 0; i < count_; ++i) mix(i, 1, std::max(to, begin_[i]), end_[i]);
  }
  void mix(std::size_t i, std::size_t count, std::size_t from, std::size_t to) {
    if (from >= to) return;
    const float* weights[kQueryTile];
    for (std::size_t j = 0; j < count; ++j) weights[j] = scores_[i + j] + from;
    const Element* values = static_cast<const Element*>(args_.kv.values) + (place_ + from) * width_;
    multiply<Isa, Elements>(weights, count, to - from, values, width_, width_, mixed_ + i, spare());
  }

  const AttentionArgs& args_;
  std::size_t width_;
  std::size_t first_ = 0, place_ = 0;  // position of the chunk, and where the cache has it
  // of the queries that see some of the chunk
  std::size_t count_ = 0;
  std::size_t query_[kQueryTile];
  std::size_t begin_[kQueryTile], end_[kQueryTile];  // within the chunk
  float* mixed_[kQueryTile];
  float scores_[kQueryTile][kAttentionChunk];
};

template <class Isa>
void attention(const AttentionArgs& args, std::size_t begin, std::size_t end) noexcept {
  with_kv_type(args.kv.type, [&](auto type) {
    AttentionTile<Isa, type> tile(args);
    for (std::size_t chunk = begin; chunk < end; ++chunk) tile.add_chunk(chunk);
  });
}

}  // namespace heed::kernels::generic
