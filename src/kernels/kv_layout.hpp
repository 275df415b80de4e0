// The memory of cached keys and values: its parts and their sizes. The order within a part depends on the target
// (generic/kv_elements.hpp, generic/kv_blocks.hpp).
//
// Types with blocks (q8, q4) store rotated vectors: a Walsh-Hadamard transform spreads outliers over all dimensions, and as the
// same transform is applied to queries, and again to the mixed values, attention is unchanged except for rounding
// (arXiv:2404.00456). A block of dimensions shares a scale, in bf16. A center near the mean of the keys is subtracted from each
// key; the product of query and center is added to its score.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tensor/kv_type.hpp"

namespace heed::kernels {

/// The number of virtual lanes of reductions, and of positions in a run of cached values. It is the same on every instruction set,
/// so that sums have one order, and at least the number of lanes of any vector.
inline constexpr std::size_t kWide = 16;

/// n rounded up to a multiple of kWide.
constexpr std::size_t padded(std::size_t n) noexcept { return (n + kWide - 1) / kWide * kWide; }

/// The number of elements of a key in the cache (even, because integers are multiplied in pairs), and of a value.
constexpr std::size_t key_width(std::size_t key_dim) noexcept { return key_dim + key_dim % 2; }
constexpr std::size_t value_width(std::size_t value_dim) noexcept { return padded(value_dim); }

/// The number of positions in a chunk of the cache, which attention processes at a time.
inline constexpr std::size_t kAttentionChunk = 256;

/// The number of chunks of `positions`.
constexpr std::size_t chunks_of(std::uint64_t positions) noexcept {
  return static_cast<std::size_t>((positions + kAttentionChunk - 1) / kAttentionChunk);
}

/// The dimensions of keys, and of values, that share a scale, in types with blocks.
inline constexpr std::size_t kKeyBlock = 32, kValueBlock = 64;

/// The number of blocks of a vector.
constexpr std::size_t blocks_of(std::size_t dim, std::size_t block) noexcept { return (dim + block - 1) / block; }

/// The number of codes of a key, in types with blocks. A value has value_width() codes.
constexpr std::size_t key_codes(std::size_t key_dim) noexcept { return (key_dim + 7) / 8 * 8; }

constexpr std::size_t code_bits(KvType type) noexcept { return type == KvType::q4 ? 4 : 8; }

/// Bytes of the scales of one position.
constexpr std::size_t scale_bytes(std::size_t key_dim, std::size_t value_dim) noexcept {
  return sizeof(std::uint16_t) * (blocks_of(key_dim, kKeyBlock) + blocks_of(value_dim, kValueBlock));
}

/// The centers of a chunk: 8-bit codes with one scale each. A center is computed from the keys before it. In the first chunk of a
/// text, where these are few, centers begin at the powers of two from 2 on; in others, every 64 positions.
inline constexpr std::size_t kCenters = 7, kCenterSpan = 64;
/// A center is computed from this many keys before it, or from all if there are fewer. The first key of a text is left out: it is
/// an attention sink, and unlike all others.
inline constexpr std::size_t kCenterKeys = 32;

/// The first position within `chunk` that center i is subtracted from; kAttentionChunk if the chunk has no center i.
constexpr std::size_t center_begin(std::size_t chunk, std::size_t i) noexcept {
  const std::size_t begin = chunk == 0 ? std::size_t{2} << i : i * kCenterSpan;
  return begin < kAttentionChunk ? begin : kAttentionChunk;
}

/// The index of a position's center in its chunk; kCenters if it has none (the first two positions of a text).
constexpr std::size_t center_of(std::size_t position) noexcept {
  if (position >= kAttentionChunk) return position % kAttentionChunk / kCenterSpan;
  return position < 2 ? kCenters : static_cast<std::size_t>(std::bit_width(position)) - 2;
}

/// Whether a position is the first one with its center.
constexpr bool begins_center(std::size_t position) noexcept {
  return position < kAttentionChunk ? position >= 2 && std::has_single_bit(position) : position % kCenterSpan == 0;
}

/// The number of codes of a center in memory, with padding.
constexpr std::size_t center_codes(std::size_t key_dim) noexcept { return (key_dim + 31) / 32 * 32; }

/// The size of the pieces of a vector that are rotated: the largest power of two that divides it, up to 256.
constexpr std::size_t rotation_of(std::size_t dim) noexcept {
  const std::size_t power = dim & (~dim + 1);
  return power < 256 ? power : 256;
}

/// The memory of kAttentionChunk positions of several heads. Head i begins at data + i * stride: its keys, its values and, for
/// integer types, a scale for each key and one for each value; for types with blocks, the scales of all blocks and the centers.
struct KvChunk {
  std::byte* data = nullptr;
  std::size_t stride = 0;
};

/// Bytes of an element of a type without blocks.
constexpr std::size_t element_bytes(KvType type) noexcept { return type == KvType::f32 ? 4 : 2; }

/// The bytes per position of each part of a head in a chunk: keys, values, and the scales of both. If n is a multiple of kWide, the
/// first n positions are at the beginning of each part. For types with blocks, all are zero.
constexpr std::array<std::size_t, 4> kv_parts(KvType type, std::size_t key_dim, std::size_t value_dim) noexcept {
  if (has_blocks(type)) return {};
  const std::size_t element = element_bytes(type), scale = has_scales(type) ? sizeof(float) : 0;
  return {element * key_width(key_dim), element * value_width(value_dim), scale, scale};
}

/// Bytes of one head in a chunk.
constexpr std::uint64_t kv_chunk_bytes(KvType type, std::size_t key_dim, std::size_t value_dim) noexcept {
  if (has_blocks(type)) {
    const std::uint64_t codes = (key_codes(key_dim) + value_width(value_dim)) * code_bits(type) / 8;
    return kAttentionChunk * (codes + scale_bytes(key_dim, value_dim)) + kCenters * (center_codes(key_dim) + sizeof(std::uint16_t));
  }
  std::uint64_t bytes = 0;
  for (const std::size_t part : kv_parts(type, key_dim, value_dim)) bytes += kAttentionChunk * part;
  return bytes;
}

/// Bytes of the codes of one key or value in a saved session.
constexpr std::size_t saved_code_bytes(KvType type, std::size_t dim) noexcept { return (dim * code_bits(type) + 7) / 8; }

/// Bytes of the first `positions` positions of a head's chunk in a saved session.
constexpr std::uint64_t kv_saved_bytes(KvType type, std::size_t key_dim, std::size_t value_dim, std::size_t positions) noexcept {
  if (has_blocks(type)) {
    const std::uint64_t codes = saved_code_bytes(type, key_dim) + saved_code_bytes(type, value_dim);
    return positions * (codes + scale_bytes(key_dim, value_dim)) + kCenters * (key_dim + sizeof(std::uint16_t));
  }
  return positions * (element_bytes(type) * std::uint64_t{key_dim + value_dim} + (has_scales(type) ? 2 * sizeof(float) : 0));
}

/// The keys and values of one layer and one kv head, in the layout of a target. Chunks that no query sees may be absent. Scales
/// that have not been written are zero.
struct KvHead {
  KvType type = KvType::f32;
  std::size_t key_dim = 0, value_dim = 0;
  const KvChunk* chunks = nullptr;  // of positions [0, kAttentionChunk), and so on
  std::size_t index = 0;            // index of this head among the heads of a chunk
  bool rotated = true;              // whether keys and values are rotated, if the type has blocks

  std::byte* chunk(std::size_t i) const noexcept { return chunks[i].data + index * chunks[i].stride; }
  /// The sizes of the pieces of a key and of a value that are rotated; 1: nothing is rotated.
  std::size_t key_rotation() const noexcept { return has_blocks(type) && rotated ? rotation_of(key_dim) : 1; }
  std::size_t value_rotation() const noexcept { return has_blocks(type) && rotated ? rotation_of(value_dim) : 1; }
};

}  // namespace heed::kernels
