// Products of weights of up to six bits on machines that multiply bytes to 16-bit sums. These can hold several groups of four k, so
// that sums are widened once for all of them: widening takes a multiplication, and multiplications limit the speed.
#pragma once

#include <cstddef>
#include <type_traits>

namespace heed::kernels::isa {

/// Extends Base: sums a whole block in 16 bits, for weights of four bits, since 8 groups * 2 * 15 * 127 fits. Machine has `pairs`,
/// the 16-bit sums of two products of signed activations and unsigned weights; `add_pairs`; and `add_folded`, which adds both
/// 16-bit sums of a lane to a 32-bit one.
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

/// Adds to Base 16-bit sums of kGroups groups, for larger weights: of five bits, with sums up to 4 * 2 * 31 * 127, or of six bits,
/// with sums up to 2 * 2 * 63 * 127.
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

/// The class for unsigned weights up to kTop; Other if 16 bits hold only one group.
template <int kTop, class Base, class Machine, class Other>
using PairSums = std::conditional_t<kTop <= 15, NibblePairs<Base, Machine>,
                                    std::conditional_t<kTop <= 31, GroupPairs<Base, Machine, 4>,
                                                       std::conditional_t<kTop <= 63, GroupPairs<Base, Machine, 2>, Other>>>;

}  // namespace heed::kernels::isa
