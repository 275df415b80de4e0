// Products of tiles of codes (kv_blocks.hpp) with integer factors: codes of queries with keys, codes of weights with values.
//
// A Dots class has, for a layout and an instruction set:
//   kBits                  of a code
//   kGroup, kGroupBytes    rows that a register has per column, and bytes of their factors
//   kQueryTop, kWeightTop  what the size of a query, or of kWide weights, is mapped to
//   kOffset                is subtracted from each code: a sum begins with -kOffset times the sum of its factors
//   pack(to, codes)        writes the factors of a group
//   pack_lanes(to, codes)  those of kLanes consecutive rows
//   Sum, start, multiply, finish
#pragma once

#include <cstring>

#include "kernels/generic/kv_blocks.hpp"
#include "kernels/isa/instruction_set.hpp"

namespace heed::kernels::generic {

/// Codes of 8 bits and factors of 16. Dot products fit into 32 bits: the norm of a query is at most 32000, the sum of weights 32767.
template <class Isa>
struct ByteDots {
  static constexpr std::size_t kBits = 8;
  using Sum = typename Isa::I32;
  static constexpr std::size_t kGroup = 2, kGroupBytes = 4;
  static constexpr float kQueryTop = 32000.0f, kWeightTop = 32767.0f;
  static constexpr int kOffset = 0;

  static float query_size(const float* x, std::size_t n) { return norm<Isa>(x, n); }
  static float weight_size(const Wide<Isa>& weights) { return sum(weights); }
  static void pack(std::byte* to, const std::int16_t* codes) { std::memcpy(to, codes, kGroupBytes); }
  /// Writes the factors of kLanes consecutive rows.
  static void pack_lanes(std::byte* to, Sum codes) { Isa::store_low_halves(reinterpret_cast<std::int16_t*>(to), codes); }

  static Sum start(std::int32_t sum) { return Isa::splat_i32(sum); }
  static typename Isa::I32 finish(Sum sum) { return sum; }
  /// sums[q][column] += factors * codes of a tile. Distances of factors, in groups: kStep between groups, kApart between queries.
  template <std::size_t kStep, std::size_t kApart, std::size_t kQueries>
  static void multiply(const std::byte* factors, const std::byte* codes, std::size_t rows,
                       Sum (&sums)[kQueries][kColumnVectors<Isa>]) {
    constexpr std::size_t kVectors = kColumnVectors<Isa>;
#pragma clang loop unroll(disable)
    for (std::size_t g = 0; g < rows / kGroup; ++g, codes += kColumns<Isa> * kGroup, factors += kStep * kGroupBytes) {
      typename Isa::Bytes numbers[kVectors];
      for (std::size_t v = 0; v < kVectors; ++v)
        numbers[v] = Isa::load_i8_as_i16(reinterpret_cast<const std::int8_t*>(codes) + v * Isa::kLanes * kGroup);
      for (std::size_t q = 0; q < kQueries; ++q) {
        const auto factor = Isa::splat_group(factors + q * kApart * kGroupBytes);
        for (std::size_t v = 0; v < kVectors; ++v) sums[q][v] = Isa::dot_i16(sums[q][v], factor, numbers[v]);
      }
    }
  }
};

/// What both ways to multiply codes of 4 bits share. Factors have 8 bits.
template <class Isa, class Dots>
struct NibbleDotsBase {
  static constexpr std::size_t kBits = 4;
  static constexpr std::size_t kGroup = 4;
  static constexpr float kQueryTop = 127.0f, kWeightTop = 127.0f;
  static constexpr int kOffset = kNibbleOffset;

  static float query_size(const float* x, std::size_t n) { return magnitude(x, n); }
  static float weight_size(const Wide<Isa>& weights) {  // scales have signs
    return largest(map<Isa>([](auto part) { return Isa::abs(part); }, weights));
  }

  template <std::size_t kStep, std::size_t kApart, class Sum, std::size_t kQueries>
  static void multiply(const std::byte* factors, const std::byte* codes, std::size_t rows,
                       Sum (&sums)[kQueries][kColumnVectors<Isa>]) {
    constexpr std::size_t kVectors = kColumnVectors<Isa>, kBytes = Dots::kGroupBytes;
    const auto table = Isa::load_table(kNibbleNumbers), mask = Isa::splat_byte(15);
    const std::size_t half = rows / kGroup / 2;
#pragma clang loop unroll(disable)
    for (std::size_t g = 0; g < half; ++g, codes += kColumns<Isa> * kGroup, factors += kStep * kBytes) {
      typename Isa::Bytes low[kVectors], high[kVectors];
      for (std::size_t v = 0; v < kVectors; ++v) {
        const auto both = Isa::load_bytes(codes + v * Isa::kLanes * kGroup);
        low[v] = Isa::look_up(table, Isa::and_(both, mask));
        high[v] = Isa::look_up(table, Isa::and_(Isa::template shift_right_16<4>(both), mask));
      }
      for (std::size_t q = 0; q < kQueries; ++q) {
        const std::byte* const of_query = factors + q * kApart * kBytes;
        Dots::add(sums[q], of_query, low);
        Dots::add(sums[q], of_query + half * kStep * kBytes, high);
      }
    }
  }
};

/// Codes of 4 bits where bytes are multiplied.
template <class Isa, class ByteIsa>
struct NibbleDots : NibbleDotsBase<Isa, NibbleDots<Isa, ByteIsa>> {
  using Sum = typename ByteIsa::Dot;
  static constexpr std::size_t kGroupBytes = 4;

  static void pack(std::byte* to, const std::int16_t* codes) {
    for (std::size_t i = 0; i < kGroupBytes; ++i) to[i] = static_cast<std::byte>(codes[i]);
  }
  static void pack_lanes(std::byte* to, typename Isa::I32 codes) {
    Isa::store_low_bytes(reinterpret_cast<std::int8_t*>(to), codes);
  }
  static Sum start(std::int32_t sum) { return ByteIsa::dot_start(Isa::splat_i32(sum)); }
  static typename Isa::I32 finish(Sum sum) { return ByteIsa::dot_sum(sum); }
  template <std::size_t kVectors>
  static void add(Sum (&sums)[kVectors], const std::byte* factors, const typename Isa::Bytes (&numbers)[kVectors]) {
    const auto factor = Isa::splat_group(factors);
    for (std::size_t v = 0; v < kVectors; ++v) sums[v] = ByteIsa::dot_u7(sums[v], factor, numbers[v]);
  }
};

/// Codes of 4 bits where pairs of 16-bit numbers are multiplied: factors as in MatmulInput::widened, for one token.
template <class Isa>
struct PairedNibbleDots : NibbleDotsBase<Isa, PairedNibbleDots<Isa>> {
  using Sum = typename Isa::I32;
  static constexpr std::size_t kGroupBytes = 8;

  static void pack(std::byte* to, const std::int16_t* codes) {
    const auto odd = [](int low, int high) { return static_cast<std::int16_t>(high - 256 * low); };
    const std::int16_t pairs[] = {codes[0], codes[2], odd(codes[0], codes[1]), odd(codes[2], codes[3])};
    std::memcpy(to, pairs, kGroupBytes);
  }
  static void pack_lanes(std::byte* to, Sum codes) {
    std::int16_t numbers[Isa::kLanes];
    Isa::store_low_halves(numbers, codes);
    for (std::size_t i = 0; i < Isa::kLanes; i += 4) pack(to + i * 2, numbers + i);
  }
  static Sum start(std::int32_t sum) { return Isa::splat_i32(sum); }
  static Sum finish(Sum sum) { return sum; }
  template <std::size_t kVectors>
  static void add(Sum (&sums)[kVectors], const std::byte* factors, const typename Isa::Bytes (&numbers)[kVectors]) {
    const auto low = Isa::splat_group(factors), high = Isa::splat_group(factors + 4);
    for (std::size_t v = 0; v < kVectors; ++v) sums[v] = Isa::dot_pairs(sums[v], low, high, numbers[v]);
  }
};

template <class Isa, class ByteIsa>
struct NibbleDotsOf {
  using Type = PairedNibbleDots<Isa>;
};
template <class Isa, isa::UnsignedDots ByteIsa>
struct NibbleDotsOf<Isa, ByteIsa> {
  using Type = NibbleDots<Isa, ByteIsa>;
};

}  // namespace heed::kernels::generic
