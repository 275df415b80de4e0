// Products of tiles of codes (kv_blocks.hpp) with integer factors: codes of queries with keys, codes of weights with values.
//
// A Dots class has, for a layout and an instruction set:
//   kBits                  of a code
//   kGroup, kGroupBytes    rows that a register has per column, and bytes of their factors
//   kQueryTop, kWeightTop  the integers that query_size(), and weight_size() of kWide weights, are mapped to
//   kOffset                is subtracted from each code: a sum begins with -kOffset times the sum of its factors
//   pack(to, codes)        writes the factors of kWide rows, and returns the sum of their codes unless kOffset is 0
//   arrange(codes)         moves the codes of kWide dimensions to where pack() reads them; codes of positions need no move
//   kExpands               whether whole tiles of queries are multiplied faster by codes that expand() has written
//   Sum, start, multiply, finish
#pragma once

#include <cstring>

#include "kernels/generic/kv_blocks.hpp"
#include "kernels/generic/vectors.hpp"
#include "kernels/isa/instruction_set.hpp"

namespace heed::kernels::generic {

/// Codes of 8 bits and factors of 16. Dot products fit into 32 bits: the norm of a query is at most 32000, the sum of weights
/// 32767.
template <class Isa>
struct ByteDots {
  static constexpr std::size_t kBits = 8;
  using Sum = typename Isa::I32;
  static constexpr std::size_t kGroup = 2, kGroupBytes = 4;
  static constexpr float kQueryTop = 32000.0f, kWeightTop = 32767.0f;
  static constexpr int kOffset = 0;
  static constexpr bool kExpands = false;

  static float query_size(const float* x, std::size_t n) { return norm<Isa>(x, n); }
  static float weight_size(const Wide<Isa>& weights) { return sum(weights); }
  static void arrange(float*) {}
  static std::int32_t pack(std::byte* to, const float* codes) {
    using Halves = Vector<std::int16_t>;  // the low half of each float is its code
    for (std::size_t i = 0; i < kWide; i += 8, to += sizeof(Halves))
      store_vector<std::int16_t>(to, __builtin_shufflevector((Halves)load_vector(codes + i), (Halves)load_vector(codes + i + 4), 0,
                                                             2, 4, 6, 8, 10, 12, 14));
    return 0;
  }

  static Sum start(std::int32_t sum) { return Isa::splat_i32(sum); }
  static typename Isa::I32 finish(Sum sum) { return sum; }
  /// sums[q][column] += factors * codes of a tile. The factors of the next group are kStep groups further, those of the next query
  /// kApart groups.
  template <std::size_t kStep, std::size_t kApart, bool kExpanded, std::size_t kQueries>
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

/// The common part of both products of 4-bit codes. Factors have 8 bits.
template <class Isa, class Dots>
struct NibbleDotsBase {
  static constexpr std::size_t kBits = 4;
  static constexpr std::size_t kGroup = 4;
  static constexpr float kQueryTop = 127.0f, kWeightTop = 127.0f;
  static constexpr int kOffset = kNibbleOffset;

  static void arrange(float* codes) {
    Vector<float> v[kGroup], half[kGroup];
    for (std::size_t i = 0; i < kGroup; ++i) v[i] = load_vector(codes + i * kGroup);
    for (std::size_t i = 0; i < 2; ++i) {
      half[i] = __builtin_shufflevector(v[i], v[i + 2], 0, 4, 1, 5);
      half[i + 2] = __builtin_shufflevector(v[i], v[i + 2], 2, 6, 3, 7);
    }
    for (std::size_t i = 0; i < kGroup; i += 2) {
      store_vector<float>(codes + i * kGroup, __builtin_shufflevector(half[i], half[i + 1], 0, 4, 1, 5));
      store_vector<float>(codes + (i + 1) * kGroup, __builtin_shufflevector(half[i], half[i + 1], 2, 6, 3, 7));
    }
  }
  static float query_size(const float* x, std::size_t n) { return magnitude(x, n); }
  static float weight_size(const Wide<Isa>& weights) {  // scales may be negative
    return largest(map<Isa>([](auto part) { return Isa::abs(part); }, weights));
  }

  /// The codes of four groups: lane g of of_row[i] is row i of group g.
  struct Codes {
    using Lanes = Vector<std::uint32_t>;
    Lanes of_row[kGroup];

    explicit Codes(const float* codes) {
      for (std::size_t i = 0; i < kGroup; ++i) of_row[i] = (Lanes)load_vector(codes + i * kGroup);
    }
    std::int32_t sum() const {
      Lanes v = of_row[0] + of_row[1] + of_row[2] + of_row[3];
      v += __builtin_shufflevector(v, v, 2, 3, 2, 3);
      return static_cast<std::int32_t>(v[0] + v[1] - kWide * std::bit_cast<std::uint32_t>(kRoundingShift));
    }
  };

  /// Looks up the values of 4-bit codes: bytes hold the codes of one group of rows in their low halves, of another in their high
  /// halves.
  struct Numbers {
    typename Isa::Bytes table = Isa::load_table(kNibbleNumbers), mask = Isa::splat_byte(15);

    typename Isa::Bytes low(typename Isa::Bytes both) const { return Isa::look_up(table, Isa::and_(both, mask)); }
    typename Isa::Bytes high(typename Isa::Bytes both) const { return low(Isa::template shift_right_16<4>(both)); }
  };
  /// Writes the values of a tile's codes as bytes, [row / kGroup][column][kGroup].
  static void expand(const std::byte* codes, std::size_t rows, std::byte* expanded) {
    const Numbers numbers;
    const std::size_t half = rows / 2 * kColumns<Isa>;
    for (std::size_t i = 0; i < half; i += sizeof(typename Isa::Bytes)) {
      const auto both = Isa::load_bytes(codes + i), low = numbers.low(both), high = numbers.high(both);
      std::memcpy(expanded + i, &low, sizeof low);
      std::memcpy(expanded + half + i, &high, sizeof high);
    }
  }
  template <std::size_t kStep, std::size_t kApart, bool kExpanded, class Sum, std::size_t kQueries>
  static void multiply(const std::byte* factors, const std::byte* codes, std::size_t rows,
                       Sum (&sums)[kQueries][kColumnVectors<Isa>]) {
    constexpr std::size_t kVectors = kColumnVectors<Isa>, kBytes = Dots::kGroupBytes;
    const Numbers numbers;
    const std::size_t groups = rows / kGroup / (kExpanded ? 1 : 2);
#pragma clang loop unroll(disable)
    for (std::size_t g = 0; g < groups; ++g, codes += kColumns<Isa> * kGroup, factors += kStep * kBytes) {
      typename Isa::Bytes low[kVectors], high[kVectors];
      for (std::size_t v = 0; v < kVectors; ++v) {
        const auto both = Isa::load_bytes(codes + v * Isa::kLanes * kGroup);
        low[v] = kExpanded ? both : numbers.low(both);
        if constexpr (!kExpanded) high[v] = numbers.high(both);
      }
      for (std::size_t q = 0; q < kQueries; ++q) {
        const std::byte* const of_query = factors + q * kApart * kBytes;
        Dots::add(sums[q], of_query, low);
        if constexpr (!kExpanded) Dots::add(sums[q], of_query + groups * kStep * kBytes, high);
      }
    }
  }

 private:
  friend Dots;
  NibbleDotsBase() = default;
};

/// Products of 4-bit codes on instruction sets that multiply bytes.
template <class Isa, class ByteIsa>
struct NibbleDots : NibbleDotsBase<Isa, NibbleDots<Isa, ByteIsa>> {
  using Base = NibbleDotsBase<Isa, NibbleDots<Isa, ByteIsa>>;
  using Sum = typename ByteIsa::Dot;
  static constexpr std::size_t kGroupBytes = 4;

  static constexpr bool kExpands = false;

  static std::int32_t pack(std::byte* to, const float* codes) {
    const typename Base::Codes all(codes);
    const auto& v = all.of_row;
    store_vector<std::uint32_t>(to, (v[0] & 255) | (v[1] & 255) << 8 | (v[2] & 255) << 16 | v[3] << 24);
    return all.sum();
  }
  static Sum start(std::int32_t sum) { return ByteIsa::dot_start(Isa::splat_i32(sum)); }
  static typename Isa::I32 finish(Sum sum) { return ByteIsa::dot_sum(sum); }
  template <std::size_t kVectors>
  static void add(Sum (&sums)[kVectors], const std::byte* factors, const typename Isa::Bytes (&numbers)[kVectors]) {
    const auto factor = Isa::splat_group(factors);
    for (std::size_t v = 0; v < kVectors; ++v) sums[v] = ByteIsa::dot_u7(sums[v], factor, numbers[v]);
  }
};

/// Products of 4-bit codes on instruction sets that multiply pairs of 16-bit numbers. Factors are as in MatmulInput::widened for
/// one token.
template <class Isa>
struct PairedNibbleDots : NibbleDotsBase<Isa, PairedNibbleDots<Isa>> {
  using Base = NibbleDotsBase<Isa, PairedNibbleDots<Isa>>;
  using Sum = typename Isa::I32;
  static constexpr std::size_t kGroupBytes = 8;

  static constexpr bool kExpands = true;

  static std::int32_t pack(std::byte* to, const float* codes) {
    const typename Base::Codes all(codes);
    const auto& v = all.of_row;
    const auto pairs = [](auto low, auto high) { return (low & 0xffff) | high << 16; };
    const auto even = pairs(v[0], v[2]), odd = pairs(v[1] - (v[0] << 8), v[3] - (v[2] << 8));
    store_vector<std::uint32_t>(to, __builtin_shufflevector(even, odd, 0, 4, 1, 5));
    store_vector<std::uint32_t>(to + sizeof even, __builtin_shufflevector(even, odd, 2, 6, 3, 7));
    return all.sum();
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
