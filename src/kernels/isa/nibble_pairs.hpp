// Weights of four bits where the machine multiplies bytes to sums of 16 bits: 8 groups x 2 x 15 x 127 fits those, so that a block is
// summed there and widened once, and not once a group.
#pragma once

#include <cstddef>

namespace heed::kernels::isa {

/// Base with sums of a block in 16 bits. Machine has `pairs`, the 16-bit sums of two products of signed activations and unsigned
/// weights; `add_pairs`; and `add_folded`, which adds the two such sums of each lane to one of 32 bits.
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

}  // namespace heed::kernels::isa
