#include "nn/pass.hpp"

#include <algorithm>

namespace heed::nn {
namespace {

/// Element counts of Scratch, in one place for both its size and its making. In 64 bits: the size is asked for before
/// anybody knows that it fits the address space.
struct Sizes {
  std::uint64_t width, queries, keys, hidden, angles, chunk_scratch, partials, partial_mixed, quantised, expanded;

  Sizes(const DecoderSpec& spec, std::uint64_t tokens, std::size_t positions, std::uint64_t threads) {
    const AttentionSpec& attention = spec.attention;
    const std::uint64_t query_width = attention.heads * attention.head_dim;
    width = tokens * spec.width;
    queries = tokens * query_width;
    keys = tokens * attention.kv_heads * attention.head_dim;
    hidden = tokens * spec.mlp.feed_forward;
    angles = attention.rope ? tokens * (attention.rope->dims / 2) : 0;
    const std::uint64_t chunks = (std::uint64_t{positions} + kernels::kAttentionChunk - 1) / kernels::kAttentionChunk;
    chunk_scratch = threads * kernels::attention_scratch(attention.head_dim);
    partials = std::max<std::uint64_t>(threads * kernels::kQueryTile, attention.heads * chunks);
    partial_mixed = partials * kernels::padded(attention.head_dim);
    const std::size_t widest = std::max({spec.width, attention.heads * attention.head_dim, spec.mlp.feed_forward});
    quantised = tokens * kernels::quantised_bytes(1, widest);
    expanded = threads * kernels::matmul_scratch(widest);
  }
};

}  // namespace

Scratch::Scratch(const DecoderSpec& spec, std::size_t tokens, std::size_t positions, std::size_t threads) {
  const Sizes n(spec, tokens, positions, threads);
  x = Buffer<float>(n.width);
  h = Buffer<float>(n.width);
  q = Buffer<float>(n.queries);
  mixed = Buffer<float>(n.queries);
  k = Buffer<float>(n.keys);
  v = Buffer<float>(n.keys);
  gate = Buffer<float>(spec.mlp.gated ? n.hidden : 0);
  up = Buffer<float>(n.hidden);
  cosines = Buffer<float>(n.angles);
  sines = Buffer<float>(n.angles);
  attention = Buffer<float>(n.chunk_scratch);
  partial_mixed = Buffer<float>(n.partial_mixed);
  partials = Buffer<kernels::AttentionPartial>(n.partials);
  quantised = Buffer<std::byte>(n.quantised);
  expanded = Buffer<std::byte>(n.expanded);
}

std::uint64_t Scratch::bytes(const DecoderSpec& spec, std::size_t tokens, std::size_t positions,
                             std::size_t threads) {
  const Sizes n(spec, tokens, positions, threads);
  const std::uint64_t floats = 2 * n.width + 2 * n.queries + 2 * n.keys + (spec.mlp.gated ? 2 : 1) * n.hidden +
                               2 * n.angles + n.chunk_scratch + n.partial_mixed;
  return floats * sizeof(float) + n.partials * sizeof(kernels::AttentionPartial) + n.quantised + n.expanded;
}

}  // namespace heed::nn
