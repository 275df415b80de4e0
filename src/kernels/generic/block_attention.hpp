// Attention over codes in blocks (kv_blocks.hpp), as in attention.hpp: queries and weights are quantized, and multiplied by codes as
// they are stored. Sums over a block are exact; they are scaled and added in order.
#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/generic/attention_partials.hpp"
#include "kernels/generic/block_dots.hpp"
#include "kernels/generic/chunk_scores.hpp"

namespace heed::kernels::generic {

/// What does not depend on the size of codes.
template <class Isa>
class BlockQueries : protected ChunkScores<Isa> {
 protected:
  using Base = ChunkScores<Isa>;
  using Base::args_, Base::key_dim_, Base::value_dim_, Base::from_, Base::to_, Base::scores_;

  explicit BlockQueries(const AttentionArgs& args) : Base(args) {}

  // Scratch: a rotated query; codes of 16 bits of all, for centers; factors of all, [key_codes / kGroup][places][kGroup]; minus the
  // offsets of blocks; sums of values.
  float* rotated() { return args_.scratch; }
  std::int16_t* whole(std::size_t q) {
    return reinterpret_cast<std::int16_t*>(rotated() + padded(key_dim_)) + q * center_codes(key_dim_);
  }
  std::byte* factors() { return reinterpret_cast<std::byte*>(whole(kQueryTile)); }
  std::int32_t* starts(std::size_t block) {
    return reinterpret_cast<std::int32_t*>(factors() + kQueryTile * key_codes(key_dim_) * 2) + block * kQueryTile;
  }
  float* mixed(std::size_t q) { return args_.scratch + kQueryTile * 2 * padded(key_dim_) + q * padded(value_dim_); }

  /// Rotates a query, and makes its codes for centers. Returns the factor of its scores.
  [[gnu::noinline, clang::minsize]] float begin_query(std::size_t q) {
    float* const query = rotated();
    std::copy_n(args_.queries[q].query, key_dim_, query);
    std::fill(query + key_dim_, query + padded(key_dim_), 0.0f);
    rotate(query, key_dim_, args_.kv.key_rotation());
    constexpr float kTop = 32000.0f;  // as in KvElements
    const float top = norm<Isa>(query, key_dim_), unit = args_.scale / static_cast<float>(args_.kv.key_rotation());
    std::fill_n(whole(q), center_codes(key_dim_), std::int16_t{0});
    quantize_runs<Isa>(query, key_dim_, kTop, steps_per_unit(kTop, top), whole(q));
    whole_units_[q] = top / kTop * unit;
    return unit;
  }

  /// Adds the product of the query and the center to the score of each position.
  [[gnu::noinline]] void add_centers(std::size_t q, const BlockMemory& memory, std::size_t chunk) {
    for (std::size_t which = 0; which < kCenters; ++which) {
      const std::size_t begin = std::max(from_, center_begin(chunk, which)), end = std::min(to_, center_begin(chunk, which + 1));
      if (begin >= end) continue;
      const std::int8_t* const center = memory.centers + which * memory.center_width;
      auto sums = Isa::splat_i32(0);
      for (std::size_t i = 0; i < memory.center_width; i += 2 * Isa::kLanes)
        sums = Isa::dot_i16(sums, Isa::load_bytes(reinterpret_cast<const std::byte*>(whole(q) + i)),
                            Isa::load_i8_as_i16(center + i));
      float lanes[Isa::kLanes];
      Isa::store(lanes, Isa::from_bits(sums));
      std::uint32_t of_lanes[Isa::kLanes], product = 0;
      std::memcpy(of_lanes, lanes, sizeof lanes);
      for (const std::uint32_t of_lane : of_lanes) product += of_lane;
      const float offset = static_cast<float>(static_cast<std::int32_t>(product)) *
                           (bf16_to_f32(memory.center_scales[which]) * whole_units_[q]);
      for (std::size_t t = begin; t < end; ++t) scores_[q][t] += offset;
    }
  }
  static Wide<Isa> load_scales(const std::uint16_t* scales) {
    Wide<Isa> wide;
    for (std::size_t i = 0; i < Wide<Isa>::kParts; ++i) wide.part[i] = Isa::load_bf16(scales + i * Isa::kLanes);
    return wide;
  }

 private:
  float whole_units_[kQueryTile];  // what the codes of each query for centers stand for, times the scale of scores
};

template <class Isa, class Dots>
class BlockTile : BlockQueries<Isa> {
  using Base = BlockQueries<Isa>;
  using Base::args_, Base::key_dim_, Base::value_dim_, Base::places_, Base::from_, Base::to_, Base::scores_;
  using Base::factors, Base::starts, Base::mixed;
  using F32 = typename Isa::F32;
  using Sum = typename Dots::Sum;
  static constexpr std::size_t C = kColumns<Isa>, kVectors = kColumnVectors<Isa>, kBits = Dots::kBits;
  static constexpr std::size_t kRuns = kAttentionChunk / kWide;
  static constexpr std::size_t kRunBytes = kWide / Dots::kGroup * Dots::kGroupBytes;

 public:
  explicit BlockTile(const AttentionArgs& args) : Base(args) {
    std::fill_n(factors(), places_ * key_codes(key_dim_) / Dots::kGroup * Dots::kGroupBytes, std::byte{});
    for (std::size_t q = 0; q < args.count; ++q) pack_query(q, Base::begin_query(q));
  }

  [[clang::minsize]] void add_chunk(std::size_t chunk) {
    if (!Base::begin_chunk(chunk)) return;
    const BlockMemory memory(args_.kv, chunk);
    Base::with_places([&](auto places) { score<places>(memory); });
    for (std::size_t q = 0; q < args_.count; ++q) Base::add_centers(q, memory, chunk);
    AttentionPartial partials[kQueryTile];
    for (std::size_t q = 0; q < args_.count; ++q) {
      Base::soften(q, partials[q]);
      partials[q].mixed = mixed(q);
      std::fill(mixed(q), mixed(q) + padded(value_dim_), 0.0f);
    }
    for (std::size_t first = 0; first < value_dim_; first += kValueBlock) {
      for (std::size_t q = 0; q < args_.count; ++q) pack_weights(q, memory.value_scales + first / kValueBlock * kAttentionChunk);
      Base::with_places([&](auto places) { add_values<places>(memory, first); });
    }
    for (std::size_t q = 0; q < args_.count; ++q) merge_attention<Isa>(partials[q], value_dim_, args_.queries[q].partial);
  }

 private:
  [[gnu::noinline, clang::minsize]] void pack_query(std::size_t q, float unit) {
    const float* const query = Base::rotated();
    const float top = Dots::query_size(query, key_dim_), steps = steps_per_unit(Dots::kQueryTop, top);
    units_[q] = top / Dots::kQueryTop * unit;
    for (std::size_t first = 0; first < key_codes(key_dim_); first += kKeyBlock) {
      const std::size_t n = std::min(kKeyBlock, key_codes(key_dim_) - first);
      std::int16_t codes[kKeyBlock];
      quantize_runs<Isa>(query + first, n, Dots::kQueryTop, steps, codes);
      std::int32_t total = 0;
#pragma clang loop unroll(disable)
      for (std::size_t i = 0; i < n; i += Dots::kGroup) {
        Dots::pack(factors() + ((first + i) / Dots::kGroup * places_ + q) * Dots::kGroupBytes, codes + i);
        for (std::size_t k = i; k < i + Dots::kGroup; ++k) total += codes[k];
      }
      starts(first / kKeyBlock)[q] = -Dots::kOffset * total;
    }
  }

  template <std::size_t kPlaces>
  void score(const BlockMemory& memory) {
    for (std::size_t t = from_; t < to_; t += C) score<kPlaces>(memory, t);
  }
  /// The scores of C positions, without their centers.
  template <std::size_t kPlaces>
  void score(const BlockMemory& memory, std::size_t t) {
    const std::size_t width = key_codes(key_dim_);
    const std::byte* codes = memory.keys + t * width * kBits / 8;
    const std::uint16_t* scales = memory.key_scales + t;
    const std::byte* of_block = factors();
    F32 products[kPlaces][kVectors];
    for (auto& of_query : products)
      for (F32& product : of_query) product = Isa::splat(0.0f);
    for (std::size_t first = 0; first < width; first += kKeyBlock, scales += kAttentionChunk) {
      const std::size_t rows = std::min(kKeyBlock, width - first);
      Sum sums[kPlaces][kVectors];
      for (std::size_t q = 0; q < kPlaces; ++q)
        for (Sum& sum : sums[q]) sum = Dots::start(Dots::kOffset == 0 ? 0 : starts(first / kKeyBlock)[q]);
      Dots::template multiply<kPlaces, 1>(of_block, codes, rows, sums);
      for (std::size_t v = 0; v < kVectors; ++v) {
        const auto scale = Isa::load_bf16(scales + v * Isa::kLanes);
        for (std::size_t q = 0; q < kPlaces; ++q)
          products[q][v] = Isa::add(products[q][v], Isa::mul(Isa::to_f32(Dots::finish(sums[q][v])), scale));
      }
      codes += rows * C * kBits / 8;
      of_block += rows / Dots::kGroup * kPlaces * Dots::kGroupBytes;
    }
    for (std::size_t q = 0; q < kPlaces; ++q)
      for (std::size_t v = 0; v < kVectors; ++v)
        Isa::store(scores_[q] + t + v * Isa::kLanes, Isa::mul(products[q][v], Isa::splat(units_[q])));
  }

  /// Quantizes the weights, times the scales of a block of values, of each kWide positions.
  [[gnu::noinline]] void pack_weights(std::size_t q, const std::uint16_t* scales) {
    for (std::size_t t = from_; t < to_; t += kWide) {
      const std::size_t run = t / kWide;
      const auto weights = Wide<Isa>::load(scores_[q] + t) * Base::load_scales(scales + t);
      const float size = Dots::weight_size(weights);
      const auto steps = Isa::splat(steps_per_unit(Dots::kWeightTop, size)), top = Isa::splat(Dots::kWeightTop),
                 shift = Isa::splat(kRoundingShift);
      Wide<Isa> codes;
      for (std::size_t i = 0; i < Wide<Isa>::kParts; ++i) {
        const auto shifted = Isa::add(Isa::min(top, Isa::mul(weights.part[i], steps)), shift);
        Dots::pack_lanes(weight_factors_[q][run] + i * Isa::kLanes / Dots::kGroup * Dots::kGroupBytes, Isa::bits(shifted));
        codes.part[i] = Isa::sub(shifted, shift);
      }
      run_units_[q][run] = size / Dots::kWeightTop;
      run_starts_[q][run] = Dots::kOffset == 0 ? 0 : -Dots::kOffset * static_cast<std::int32_t>(sum(codes));
    }
  }

  /// mixed(q) += the weights times a block of values.
  template <std::size_t kPlaces>
  void add_values(const BlockMemory& memory, std::size_t first) {
    const std::size_t width = std::min(kValueBlock, value_width(value_dim_) - first);
    float* out[kPlaces];  // for places without a query, a row that is not read
    for (std::size_t q = 0; q < kPlaces; ++q) out[q] = mixed(std::min(q, args_.count)) + first;
    const std::byte* codes = memory.values + (first * kAttentionChunk + from_ * width) * kBits / 8;
    for (std::size_t run = from_ / kWide; run < to_ / kWide; ++run)
      for (std::size_t column = 0; column < width; column += C, codes += C * kWide * kBits / 8) {
        Sum sums[kPlaces][kVectors];
        for (std::size_t q = 0; q < kPlaces; ++q)
          for (Sum& sum : sums[q]) sum = Dots::start(run_starts_[q][run]);
        Dots::template multiply<1, kRuns * kRunBytes / Dots::kGroupBytes>(weight_factors_[0][run], codes, kWide, sums);
        for (std::size_t q = 0; q < kPlaces; ++q)
          for (std::size_t v = 0; v < kVectors; ++v) {
            float* const at = out[q] + column + v * Isa::kLanes;
            Isa::store(at,
                       Isa::add(Isa::load(at), Isa::mul(Isa::to_f32(Dots::finish(sums[q][v])), Isa::splat(run_units_[q][run]))));
          }
      }
  }

  float units_[kQueryTile];  // what the codes of each query stand for, times the scale of scores
  // Of the weights of a block: integers, and of each run of kWide, their unit and minus their offset.
  alignas(64) std::byte weight_factors_[kQueryTile][kRuns][kRunBytes];
  float run_units_[kQueryTile][kRuns];
  std::int32_t run_starts_[kQueryTile][kRuns];
};

template <class Isa, class Dots>
void attend_blocks_of(const AttentionArgs& args, std::size_t begin, std::size_t end) {
  BlockTile<Isa, Dots> tile(args);
  for (std::size_t chunk = begin; chunk < end; ++chunk) tile.add_chunk(chunk);
}

/// Isa: of floats; ByteIsa: of products of unsigned bytes below 128.
template <class Isa, class ByteIsa>
[[gnu::noinline]] void attend_blocks(const AttentionArgs& args, std::size_t begin, std::size_t end) noexcept {
  if (args.kv.type == KvType::q8) attend_blocks_of<Isa, ByteDots<Isa>>(args, begin, end);
  else attend_blocks_of<Isa, typename NibbleDotsOf<Isa, ByteIsa>::Type>(args, begin, end);
}

}  // namespace heed::kernels::generic
