// Scaled dot-product attention (arXiv:1706.03762) over a KV cache.
//
// Positions are divided into chunks with fixed boundaries: softmax within a chunk, and online softmax across chunks. Up to four
// queries of one kv head share a pass over the cache. Both products, of queries and keys and of weights and values, have the same
// small shape (kv_elements.hpp). Each column is a lane, and is summed along its rows in order, or in integers, so that the bits
// depend neither on the batch, nor on the distribution of chunks over threads, nor on the width of vectors.
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/generic/attention_partials.hpp"
#include "kernels/generic/block_attention.hpp"
#include "kernels/generic/chunk_scores.hpp"
#include "kernels/generic/kv_elements.hpp"

namespace heed::kernels::generic {

/// sums[q][column] += factors * elements, over `groups` of kGroup rows. The factors of the next group are kStep groups further,
/// those of the next query kApart groups.
template <class Isa, class Elements, std::size_t kQueries, std::size_t kStep, std::size_t kApart>
void multiply_tile(const typename Elements::Factor* factors, const typename Elements::Element* elements, std::size_t groups,
                   typename Elements::Sum (&sums)[kQueries][kColumnVectors<Isa>]) {
  constexpr std::size_t kVectors = kColumnVectors<Isa>, G = Elements::kGroup;
  for (; groups > 0; --groups, factors += kStep * G, elements += kColumns<Isa> * G) {
    decltype(Elements::load(elements)) rows[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) rows[v] = Elements::load(elements + v * Isa::kLanes * G);
    for (std::size_t q = 0; q < kQueries; ++q) {
      const auto factor = Elements::splat(factors + q * kApart * G);
      for (std::size_t v = 0; v < kVectors; ++v) sums[q][v] = Elements::add_product(sums[q][v], factor, rows[v]);
    }
  }
}

/// The queries of one call, chunk by chunk.
template <class Isa, KvType kType>
class AttentionTile : ChunkScores<Isa> {
  using Base = ChunkScores<Isa>;
  using Base::args_, Base::key_dim_, Base::value_dim_, Base::from_, Base::to_, Base::begin_, Base::end_, Base::scores_;
  using Elements = KvElements<Isa, kType>;
  using Element = typename Elements::Element;
  using Factor = typename Elements::Factor;
  using Sum = typename Elements::Sum;
  static constexpr std::size_t G = Elements::kGroup, kVectors = kColumnVectors<Isa>;
  // load() returns f16 keys divided by kUnit. The queries are multiplied by kUnit / kReserve beforehand, and the scores by kReserve
  // afterwards: multiplied by all of kUnit, large queries would overflow.
  static constexpr float kReserve = kType == KvType::f16 ? 0x1p12f : 1.0f;

 public:
  explicit AttentionTile(const AttentionArgs& args) : Base(args), places_(Base::places(0)) {
    for (std::size_t i = 0; i < places_ * key_width(key_dim_); ++i) queries()[i] = 0;
    for (std::size_t q = 0; q < args.count; ++q) {
      const float* query = args.queries[q].query;
      const auto put = [&](std::size_t i, Factor x) { queries()[(i / G * places_ + q) * G + i % G] = x; };
      if constexpr (Elements::kIntegers) {
        const float top = norm<Isa>(query, key_dim_), steps = steps_per_unit(Elements::kQueryNorm, top);
        quantize_row<Isa>(query, key_dim_, Elements::kQueryNorm, steps, put);
        units_[q] = top / Elements::kQueryNorm * args.scale;
      } else {
        const float factor = args.scale * (Elements::kUnit / kReserve);
        for (std::size_t i = 0; i < key_dim_; ++i) put(i, query[i] * factor);
        units_[q] = kReserve;
      }
    }
  }

  void add_chunk(std::size_t chunk) {
    if (!Base::begin_chunk(chunk)) return;
    const ChunkPlaces<Element> places(args_.kv, chunk);
    keys_ = places.keys;
    values_ = places.values;
    key_scales_ = places.key_scales;
    value_scales_ = places.value_scales;
    Base::with_places(0, [&](auto places) { score<places>(); });
    AttentionPartial partials[kQueryTile];
    for (std::size_t q = 0; q < args_.count; ++q) weigh(q, partials[q]);
    add_values();
    for (std::size_t q = 0; q < args_.count; ++q) {
      partials[q].mixed = mixed(q);
      merge_attention<Isa>(partials[q], value_dim_, args_.queries[q].partial);
    }
  }

 private:
  Factor* queries() { return reinterpret_cast<Factor*>(args_.scratch); }  // [key_dim / G][places][G]
  float* mixed(std::size_t q) { return args_.scratch + kQueryTile * padded(key_dim_) + q * padded(value_dim_); }

  template <std::size_t kPlaces>
  void score() {
    const Element* keys = keys_ + from_ * key_width(key_dim_);
    for (std::size_t t = from_; t < to_; t += kColumns<Isa>, keys += kColumns<Isa> * key_width(key_dim_)) {
      Sum sums[kPlaces][kVectors];
      for (auto& of_query : sums)
        for (Sum& sum : of_query) sum = Elements::zero();
      multiply_tile<Isa, Elements, kPlaces, kPlaces, 1>(queries(), keys, (key_dim_ + G - 1) / G, sums);
      for (std::size_t q = 0; q < kPlaces; ++q)
        for (std::size_t v = 0; v < kVectors; ++v)
          Isa::store(scores_[q] + t + v * Isa::kLanes, to_score(sums[q][v], q, t + v * Isa::kLanes));
    }
  }
  auto to_score(Sum sum, std::size_t q, std::size_t t) const {
    const auto unit = Isa::splat(units_[q]);
    if constexpr (Elements::kIntegers) return Isa::mul(Isa::mul(Isa::to_f32(sum), unit), Isa::load(key_scales_ + t));
    else return Isa::mul(sum, unit);
  }

  /// Replaces the scores of a query by the attention weights for the stored values; masked positions get zero.
  void weigh(std::size_t q, AttentionPartial& partial) {
    if constexpr (Elements::kIntegers) {
      Base::soften(q, partial, [&](std::size_t t, const Wide<Isa>& e) { return e * Wide<Isa>::load(value_scales_ + t); });
    } else {
      Base::soften(q, partial);
      if constexpr (Elements::kUnit != 1.0f) scale<Isa>(scores_[q] + from_, Elements::kUnit, to_ - from_);
    }
    if constexpr (Elements::kIntegers) make_codes(q);
  }

  /// Quantizes the weights of each kWide positions to integers with the sum kWeightSum. In two loops, because sums across lanes
  /// have a long latency, and those in the first loop are independent.
  void make_codes(std::size_t q) {
    constexpr float kMost = Elements::kWeightSum;
    float steps[kAttentionChunk / kWide];
    for (std::size_t t = from_; t < to_; t += kWide) {
      const float total = sum(Wide<Isa>::load(scores_[q] + t));
      steps[t / kWide] = steps_per_unit(kMost, total);
      code_units_[q][t / kWide] = total / kMost;
    }
    for (std::size_t t = from_; t < to_; t += Isa::kLanes) {
      const auto scaled = Isa::mul(Isa::load(scores_[q] + t), Isa::splat(steps[t / kWide]));
      const auto bounded = Isa::min(Isa::splat(kMost), scaled);
      Isa::store_low_halves(codes_[q] + t, Isa::bits(Isa::add(bounded, Isa::splat(kRoundingShift))));
    }
  }

  void add_values() {
    for (std::size_t q = 0; q < args_.count; ++q) std::fill(mixed(q), mixed(q) + padded(value_dim_), 0.0f);
    if constexpr (Elements::kIntegers) {
      Base::with_places(0, [&](auto places) { add_values<places>(0, from_, to_); });
    } else {
      // Queries share a read of the values only at positions that all of them attend to: adding a masked value would be wrong even
      // with weight zero, since the value may be infinite.
      const std::size_t from = *std::max_element(begin_, begin_ + args_.count);
      const std::size_t to = std::max(from, *std::min_element(end_, end_ + args_.count));
      for (std::size_t q = 0; q < args_.count; ++q) add_values<1>(q, begin_[q], std::min(from, end_[q]));
      Base::with_places(0, [&](auto places) { add_values<places>(0, from, to); });
      for (std::size_t q = 0; q < args_.count; ++q) add_values<1>(q, std::max(to, begin_[q]), end_[q]);
    }
  }

  /// mixed(q) += the weights of positions [from, to) times their values, for the queries from `first` on.
  template <std::size_t kPlaces>
  void add_values(std::size_t first, std::size_t from, std::size_t to) {
    float* out[kPlaces];  // places without a query write to a row that nothing reads
    for (std::size_t q = 0; q < kPlaces; ++q) out[q] = mixed(std::min(first + q, args_.count));
    while (from < to) {
      const std::size_t block = from / kWide * kWide, end = std::min(to, block + kWide);
      const Element* values = values_ + block * value_width(value_dim_) + (from - block) * kColumns<Isa>;
      for (std::size_t column = 0; column < value_width(value_dim_); column += kColumns<Isa>, values += kColumns<Isa> * kWide)
        add_tile<kPlaces>(first, from, end, values, column, out);
      from = end;
    }
  }
  template <std::size_t kPlaces>
  void add_tile(std::size_t first, std::size_t from, std::size_t to, const Element* values, std::size_t column,
                float* const (&out)[kPlaces]) {
    const auto for_sums = [&](auto f) {
      for (std::size_t q = 0; q < kPlaces; ++q)
        for (std::size_t v = 0; v < kVectors; ++v) f(q, v, out[q] + column + v * Isa::kLanes);
    };
    Sum sums[kPlaces][kVectors];
    if constexpr (Elements::kIntegers) {
      for_sums([&](std::size_t q, std::size_t v, float*) { sums[q][v] = Elements::zero(); });
      multiply_tile<Isa, Elements, kPlaces, 1, kAttentionChunk / G>(codes_[first] + from, values, kWide / G, sums);
      for_sums([&](std::size_t q, std::size_t v, float* at) {
        const auto unit = Isa::splat(code_units_[first + q][from / kWide]);
        Isa::store(at, Isa::add(Isa::load(at), Isa::mul(Isa::to_f32(sums[q][v]), unit)));
      });
    } else {
      for_sums([&](std::size_t q, std::size_t v, float* at) { sums[q][v] = Isa::load(at); });
      multiply_tile<Isa, Elements, kPlaces, 1, kAttentionChunk>(scores_[first] + from, values, to - from, sums);
      for_sums([&](std::size_t q, std::size_t v, float* at) { Isa::store(at, sums[q][v]); });
    }
  }

  std::size_t places_;
  float units_[kQueryTile];  // factor of each query's scores
  // The memory of the current chunk.
  const Element *keys_ = nullptr, *values_ = nullptr;
  const float *key_scales_ = nullptr, *value_scales_ = nullptr;
  // Attention weights as integers, and the unit of each run of kWide.
  std::int16_t codes_[kQueryTile][Elements::kIntegers ? kAttentionChunk : 1];
  float code_units_[kQueryTile][kAttentionChunk / kWide];
};

/// For types without blocks. Not inlined, so that instruction sets that differ only in dot products of bytes share it.
template <class Isa>
[[gnu::noinline]] void attend_elements(const AttentionArgs& args, std::size_t begin, std::size_t end) noexcept {
  with_kv_type(args.kv.type, [&](auto type) {
    AttentionTile<Isa, type> tile(args);
    for (std::size_t chunk = begin; chunk < end; ++chunk) tile.add_chunk(chunk);
  });
}

template <class Isa>
void attention(const AttentionArgs& args, std::size_t begin, std::size_t end) noexcept {
  if (has_blocks(args.kv.type)) attend_blocks<typename Isa::FloatIsa, typename Isa::template UnsignedIsa<127>>(args, begin, end);
  else attend_elements<typename Isa::FloatIsa>(args, begin, end);
}

}  // namespace heed::kernels::generic
