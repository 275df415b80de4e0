// Attention over codes in blocks (kv_blocks.hpp), as in attention.hpp: queries and weights are quantized, and multiplied by codes.
// Sums over a block are exact; they are scaled and added in order. Codes of four bits are multiplied as they are stored; for whole
// tiles of queries, they may be expanded to bytes first, once for all tiles.
#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/generic/attention_partials.hpp"
#include "kernels/generic/block_dots.hpp"
#include "kernels/generic/chunk_scores.hpp"

namespace heed::kernels::generic {

/// The part of attention that does not depend on the size of codes.
template <class Isa>
class BlockQueries : protected ChunkScores<Isa> {
 protected:
  using Base = ChunkScores<Isa>;
  using Base::args_, Base::key_dim_, Base::value_dim_, Base::from_, Base::to_, Base::scores_;

  explicit BlockQueries(const AttentionArgs& args) : Base(args) {}

  // Scratch: one rotated query; 16-bit codes of all queries, for products with centers; factors of all queries,
  // [tile][key_codes / kGroup][places][kGroup]; the initial value of each block's sums; expanded codes; sums of values.
  float* rotated() { return args_.scratch; }
  std::int16_t* whole(std::size_t q) {
    return reinterpret_cast<std::int16_t*>(rotated() + padded(key_dim_)) + q * center_codes(key_dim_);
  }
  std::byte* factors(std::size_t first) {
    return reinterpret_cast<std::byte*>(whole(kMostQueries)) + first * key_codes(key_dim_) * 2;
  }
  std::int32_t* starts(std::size_t block) { return reinterpret_cast<std::int32_t*>(factors(kMostQueries)) + block * kMostQueries; }
  std::byte* expanded() { return reinterpret_cast<std::byte*>(starts(blocks_of(key_dim_, kKeyBlock))); }
  float* mixed(std::size_t q) {
    return args_.scratch + attention_scratch(key_dim_, value_dim_) - (kMostQueries - q) * padded(value_dim_);
  }

  /// Rotates a query, and computes its codes for products with centers. Returns the factor of its scores.
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
  float whole_units_[kMostQueries];  // per query: the unit of its codes for centers, times the scale of scores
};

template <class Isa, class Dots>
class BlockTile : BlockQueries<Isa> {
  using Base = BlockQueries<Isa>;
  using Base::args_, Base::key_dim_, Base::value_dim_, Base::from_, Base::to_, Base::scores_;
  using Base::factors, Base::starts, Base::expanded, Base::mixed;
  using F32 = typename Isa::F32;
  using Sum = typename Dots::Sum;
  static constexpr std::size_t C = kColumns<Isa>, kVectors = kColumnVectors<Isa>, kBits = Dots::kBits;
  static constexpr std::size_t kRuns = kAttentionChunk / kWide;
  static constexpr std::size_t kRunBytes = kWide / Dots::kGroup * Dots::kGroupBytes;

 public:
  explicit BlockTile(const AttentionArgs& args) : Base(args) {
    const std::size_t last = (args.count - 1) / kQueryTile * kQueryTile;
    if (last + Base::places(last) > args.count)  // the tile has a place without a query
      std::fill(factors(last), factors(last + kQueryTile), std::byte{});
    for (std::size_t q = 0; q < args.count; ++q) pack_query(q, Base::begin_query(q));
  }

  [[clang::minsize]] void add_chunk(std::size_t chunk) {
    if (!Base::begin_chunk(chunk)) return;
    const BlockMemory memory(args_.kv, chunk);
    score(memory);
    for (std::size_t q = 0; q < args_.count; ++q) Base::add_centers(q, memory, chunk);
    AttentionPartial partials[kMostQueries];
    for (std::size_t q = 0; q < args_.count; ++q) {
      Base::soften(q, partials[q]);
      partials[q].mixed = mixed(q);
      std::fill(mixed(q), mixed(q) + padded(value_dim_), 0.0f);
    }
    for (std::size_t first = 0; first < value_dim_; first += kValueBlock) {
      for (std::size_t q = 0; q < args_.count; ++q) pack_weights(q, memory.value_scales + first / kValueBlock * kAttentionChunk);
      add_values(memory, first);
    }
    for (std::size_t q = 0; q < args_.count; ++q) merge_attention<Isa>(partials[q], value_dim_, args_.queries[q].partial);
  }

 private:
  [[gnu::noinline, clang::minsize]] void pack_query(std::size_t q, float unit) {
    const float* const query = Base::rotated();
    const float size = Dots::query_size(query, key_dim_);
    units_[q] = size / Dots::kQueryTop * unit;
    const auto top = Isa::splat(Dots::kQueryTop), bottom = Isa::splat(-Dots::kQueryTop), shift = Isa::splat(kRoundingShift),
               steps = Isa::splat(steps_per_unit(Dots::kQueryTop, size));
    const std::size_t of_tile = q % kQueryTile, places = Base::places(q - of_tile);
    std::byte* const to = factors(q - of_tile) + of_tile * Dots::kGroupBytes;
#pragma clang loop unroll(disable)
    for (std::size_t first = 0; first < key_codes(key_dim_); first += kKeyBlock) {
      std::int32_t total = 0;
#pragma clang loop unroll(disable)
      for (std::size_t i = first; i < std::min(first + kKeyBlock, key_codes(key_dim_)); i += kWide) {
        float codes[kWide];
        std::byte packed[kRunBytes];
#pragma clang loop unroll(disable)
        for (std::size_t k = 0; k < kWide; k += Isa::kLanes) {
          const auto bounded = Isa::max(bottom, Isa::min(top, Isa::mul(Isa::load(query + i + k), steps)));
          Isa::store(codes + k, Isa::add(bounded, shift));
        }
        Dots::arrange(codes);
        total += Dots::pack(packed, codes);
        const std::size_t n = std::min(kWide, key_codes(key_dim_) - i) / Dots::kGroup;
#pragma clang loop unroll(disable)
        for (std::size_t g = 0; g < n; ++g)
          std::memcpy(to + (i / Dots::kGroup + g) * places * Dots::kGroupBytes, packed + g * Dots::kGroupBytes, Dots::kGroupBytes);
      }
      starts(first / kKeyBlock)[q] = -Dots::kOffset * total;
    }
  }

  void score(const BlockMemory& memory) {
    const std::size_t width = key_codes(key_dim_);
    for (std::size_t t = from_; t < to_; t += C) {
      const std::byte* const codes = memory.keys + t * width * kBits / 8;
      if constexpr (kExpanded<kQueryTile>)
        for (std::size_t first = 0; expands() && first < width; first += kKeyBlock)
          Dots::expand(codes + first * C * kBits / 8, std::min(kKeyBlock, width - first), expanded() + first * C);
      for (std::size_t q = 0; q < args_.count; q += kQueryTile)
        Base::with_places(q, [&](auto places) { score<places>(memory, t, q, kExpanded<places> ? expanded() : codes); });
    }
  }
  /// The scores of C positions for a tile of queries, without their centers.
  template <std::size_t kPlaces>
  void score(const BlockMemory& memory, std::size_t t, std::size_t first_query, const std::byte* codes) {
    const std::size_t width = key_codes(key_dim_);
    const std::uint16_t* scales = memory.key_scales + t;
    const std::byte* of_block = factors(first_query);
    F32 products[kPlaces][kVectors];
    for (auto& of_query : products)
      for (F32& product : of_query) product = Isa::splat(0.0f);
    for (std::size_t first = 0; first < width; first += kKeyBlock, scales += kAttentionChunk) {
      const std::size_t rows = std::min(kKeyBlock, width - first);
      Sum sums[kPlaces][kVectors];
      for (std::size_t q = 0; q < kPlaces; ++q)
        for (Sum& sum : sums[q]) sum = Dots::start(Dots::kOffset == 0 ? 0 : starts(first / kKeyBlock)[first_query + q]);
      Dots::template multiply<kPlaces, 1, kExpanded<kPlaces>>(of_block, codes, rows, sums);
      for (std::size_t v = 0; v < kVectors; ++v) {
        const auto scale = Isa::load_bf16(scales + v * Isa::kLanes);
        for (std::size_t q = 0; q < kPlaces; ++q)
          products[q][v] = Isa::add(products[q][v], Isa::mul(Isa::to_f32(Dots::finish(sums[q][v])), scale));
      }
      codes += rows * C * kCodeBits<kPlaces> / 8;
      of_block += rows / Dots::kGroup * kPlaces * Dots::kGroupBytes;
    }
    for (std::size_t q = 0; q < kPlaces; ++q)
      for (std::size_t v = 0; v < kVectors; ++v)
        Isa::store(scores_[first_query + q] + t + v * Isa::kLanes, Isa::mul(products[q][v], Isa::splat(units_[first_query + q])));
  }

  /// Multiplies the weights by the scales of a block of values, and quantizes each run of kWide. First computes the sizes of all
  /// runs, because reductions across lanes have a long latency.
  [[gnu::noinline]] void pack_weights(std::size_t q, const std::uint16_t* scales) {
    float weights[kAttentionChunk], sizes[kRuns] = {}, steps[kRuns];
    for (std::size_t t = from_; t < to_; t += kWide) {
      const auto of_run = Wide<Isa>::load(scores_[q] + t) * Base::load_scales(scales + t);
      of_run.store(weights + t);
      sizes[t / kWide] = Dots::weight_size(of_run);
    }
    const auto top = Isa::splat(Dots::kWeightTop), shift = Isa::splat(kRoundingShift);
    for (std::size_t run = 0; run < kRuns; run += Isa::kLanes) {
      const auto size = Isa::load(sizes + run);
      Isa::store(run_units_[q] + run, Isa::div(size, top));
      Isa::store(steps + run, Isa::where_less(Isa::splat(kSmallestTop), size, Isa::div(top, size)));
    }
    for (std::size_t t = from_; t < to_; t += kWide) {
      const std::size_t run = t / kWide;
      const auto step = Isa::splat(steps[run]);
      float shifted[kWide];
      map<Isa>([&](auto part) { return Isa::add(Isa::min(top, Isa::mul(part, step)), shift); }, Wide<Isa>::load(weights + t))
          .store(shifted);
      run_starts_[q][run] = -Dots::kOffset * Dots::pack(weight_factors_[q][run], shifted);
    }
  }

  /// mixed(q) += the weights times a block of values.
  void add_values(const BlockMemory& memory, std::size_t first) {
    const std::size_t width = std::min(kValueBlock, value_width(value_dim_) - first);
    const std::byte* codes = memory.values + (first * kAttentionChunk + from_ * width) * kBits / 8;
    for (std::size_t run = from_ / kWide; run < to_ / kWide; ++run, codes += width * kWide * kBits / 8) {
      if constexpr (kExpanded<kQueryTile>)
        for (std::size_t column = 0; expands() && column < width; column += C)
          Dots::expand(codes + column * kWide * kBits / 8, kWide, expanded() + column * kWide);
      for (std::size_t q = 0; q < args_.count; q += kQueryTile)
        Base::with_places(q, [&](auto places) { add_run<places>(run, q, kExpanded<places> ? expanded() : codes, width, first); });
    }
  }
  /// As add_values(), for one run of kWide positions and one tile of queries.
  template <std::size_t kPlaces>
  void add_run(std::size_t run, std::size_t first_query, const std::byte* codes, std::size_t width, std::size_t first) {
    const std::size_t apart = padded(value_dim_);
    float* out = mixed(first_query) + first;  // places without a query write to a row that nothing reads
    for (std::size_t column = 0; column < width; column += C, codes += C * kWide * kCodeBits<kPlaces> / 8, out += C) {
      Sum sums[kPlaces][kVectors];
      for (std::size_t q = 0; q < kPlaces; ++q)
        for (Sum& sum : sums[q]) sum = Dots::start(run_starts_[first_query + q][run]);
      Dots::template multiply<1, kRuns * kRunBytes / Dots::kGroupBytes, kExpanded<kPlaces>>(weight_factors_[first_query][run],
                                                                                            codes, kWide, sums);
      for (std::size_t q = 0; q < kPlaces; ++q)
        for (std::size_t v = 0; v < kVectors; ++v) {
          float* const at = out + q * apart + v * Isa::kLanes;
          const auto unit = Isa::splat(run_units_[first_query + q][run]);
          Isa::store(at, Isa::add(Isa::load(at), Isa::mul(Isa::to_f32(Dots::finish(sums[q][v])), unit)));
        }
    }
  }

  /// Whether a tile reads expanded codes.
  template <std::size_t kPlaces>
  static constexpr bool kExpanded = Dots::kExpands && kPlaces == kQueryTile;
  template <std::size_t kPlaces>
  static constexpr std::size_t kCodeBits = kExpanded<kPlaces> ? 8 : kBits;
  bool expands() const { return Dots::kExpands && Base::places(0) == kQueryTile; }

  float units_[kMostQueries];  // per query: the unit of its codes, times the scale of scores
  // The quantized weights for a block of values and, for each run of kWide, their unit and the initial value of its sums.
  alignas(64) std::byte weight_factors_[kMostQueries][kRuns][kRunBytes];
  float run_units_[kMostQueries][kRuns];
  std::int32_t run_starts_[kMostQueries][kRuns];
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
