// Online softmax (arXiv:1805.02867): merges partial results of attention, and computes the output from them.
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/generic/functions.hpp"
#include "kernels/generic/hadamard.hpp"
#include "kernels/generic/wide.hpp"

namespace heed::kernels::generic {

template <class Isa>
float exp_of(float x) {
  float lanes[kWide];
  map<Isa>([](auto v) { return exp<Isa>(v); }, Wide<Isa>::splat(x)).store(lanes);
  return lanes[0];
}

template <class Isa>
void merge_attention(const AttentionPartial& from, std::size_t value_dim, AttentionPartial& into) noexcept {
  if (from.sum == 0.0f) return;
  const bool first = into.sum == 0.0f;
  const float top = first || into.top < from.top ? from.top : into.top;
  const float ours = first ? 0.0f : exp_of<Isa>(into.top - top), theirs = exp_of<Isa>(from.top - top);
  for (std::size_t i = 0; i < padded(value_dim); i += kWide) {
    const auto added = Wide<Isa>::load(from.mixed + i) * Wide<Isa>::splat(theirs);
    (first ? added : Wide<Isa>::load(into.mixed + i) * Wide<Isa>::splat(ours) + added).store(into.mixed + i);
  }
  into.sum = first ? from.sum : into.sum * ours + from.sum * theirs;
  into.top = top;
}

template <class Isa>
void finish_attention(const AttentionQuery& query, const KvHead& kv, float* output) noexcept {
  const std::size_t value_dim = kv.value_dim;
  if (query.partial.sum == 0.0f)  // every score is NaN
    return std::fill(output, output + value_dim, std::numeric_limits<float>::quiet_NaN());
  const float sink = query.sink ? exp_of<Isa>(*query.sink - query.partial.top) : 0.0f;
  const auto inverse = Wide<Isa>::splat(1.0f / (query.partial.sum + sink));
  for_each_wide(value_dim, [&](std::size_t i, std::size_t count) {
    store_wide<Isa>(output + i, count, Wide<Isa>::load(query.partial.mixed + i) * inverse);
  });
  rotate_back(output, value_dim, kv.value_rotation());
  if (!query.weights) return;
  std::fill(query.weights, query.weights + query.begin, 0.0f);
  float* seen = query.weights + query.begin;
  const auto top = Wide<Isa>::splat(query.partial.top);
  for_each_wide(query.end - query.begin, [&](std::size_t i, std::size_t count) {
    const auto e = map<Isa>([](auto v) { return exp<Isa>(v); }, load_wide<Isa>(seen + i, count) - top);
    store_wide<Isa>(seen + i, count, e * inverse);
  });
}

}  // namespace heed::kernels::generic
