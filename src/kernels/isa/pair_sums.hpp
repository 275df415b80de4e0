// Weights of up to six bits where the machine multiplies bytes to sums of 16 bits: these hold several groups of four k, so that sums are
// widened once for all of them. Multiplications are what bounds the products, and widening is one.
#pragma once

#include <cstddef>
#include <type_traits>

namespace heed::kernels::isa {

/// Base with sums of a block in 16 bits, for weights of four bits: 8 groups x 2 x 15 x 127 fits. Machine has `pairs`, the 16-bit sums of
/// two products of signed activations and unsigned weights; `add_pairs`; and `add_folded`, which adds the two such sums of each lane
/// to one of 32 bits.
template <class Base, class Machine>
struct NibblePairs : Base {
  using Bytes = typename Base::Bytes;
  using I32 = typename Base::I32;
  static constexpr bool kWidensTiles = false;

  struct Dot {
    Bytes pairs;  // 16-bit sums of two products
    I32 start;
  };
  static Dot dot_start(I32 start) { return {Base::splat_byte(0), start}; }
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) {
    return {Machine::add_pairs(acc.pairs, Machine::pairs(activations, weights)), acc.start};
  }
  static I32 dot_sum(Dot acc) { return Machine::add_folded(acc.start, acc.pairs); }
};

/// Base with sums of kGroups groups in 16 bits, for larger weights: of five bits, 4 x 2 x 31 x 127; of six, 2 x 2 x 63 x 127.
template <class Base, class Machine, std::size_t kGroups>
struct GroupPairs : Base {
  using Bytes = typename Base::Bytes;
  using I32 = typename Base::I32;
  static constexpr bool kWidensTiles = false;
  static constexpr std::size_t kGroupsInPairs = kGroups;

  static Bytes pairs(Bytes activations, Bytes weights) { return Machine::pairs(activations, weights); }
  static Bytes add_pairs(Bytes sums, Bytes pairs) { return Machine::add_pairs(sums, pairs); }
  static I32 add_folded(I32 sum, Bytes pairs) { return Machine::add_folded(sum, pairs); }
};

/// What sums unsigned weights of up to kTop; Other if 16 bits hold one group at most.
template <int kTop, class Base, class Machine, class Other>
using PairSums = std::conditional_t<kTop <= 15, NibblePairs<Base, Machine>,
                                    std::conditional_t<kTop <= 31, GroupPairs<Base, Machine, 4>,
                                                       std::conditional_t<kTop <= 63, GroupPairs<Base, Machine, 2>, Other>>>;

}  // namespace heed::kernels::isa
