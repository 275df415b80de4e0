// What attention leaves of some positions, joined to that of others, and made the result: online softmax
// (arXiv:1805.02867).
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/generic/functions.hpp"
#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

template <class Isa>
void merge_attention(const AttentionPartial& from, std::size_t head_dim, AttentionPartial& into) noexcept {
  if (from.sum == 0.0f) return;
  const bool first = into.sum == 0.0f;
  const float top = first || into.top < from.top ? from.top : into.top;
  const auto weight = [top](float other) {
    float lanes[kTile];
    map<Isa>([](auto v) { return exp<Isa>(v); }, Wide<Isa>::splat(other - top)).store(lanes);
    return lanes[0];
  };
  const float ours = first ? 0.0f : weight(into.top), theirs = weight(from.top);
  for (std::size_t i = 0; i < padded(head_dim); i += kTile) {
    const auto added = Wide<Isa>::load(from.mixed + i) * Wide<Isa>::splat(theirs);
    (first ? added : Wide<Isa>::load(into.mixed + i) * Wide<Isa>::splat(ours) + added).store(into.mixed + i);
  }
  into.sum = first ? from.sum : into.sum * ours + from.sum * theirs;
  into.top = top;
}

template <class Isa>
void finish_attention(const AttentionQuery& query, std::size_t head_dim, float* output) noexcept {
  if (query.partial.sum == 0.0f)  // every score is NaN
    return std::fill(output, output + head_dim, std::numeric_limits<float>::quiet_NaN());
  const auto inverse = Wide<Isa>::splat(1.0f / query.partial.sum);
  for_each_tile(head_dim, [&](std::size_t i, std::size_t count) {
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

}  // namespace heed::kernels::generic
