// Signed weights where the machine multiplies bytes to sums of 16 bits that saturate, and one operand has seven bits only: that one is the
// magnitude of the activation, and the weight is negated where the activation is negative.
#pragma once

namespace heed::kernels::isa {

/// Base with signed weights of eight bits times the activations of one token. Machine has `pairs`, the 16-bit sums of two products;
/// `add_pairs`; `add_folded`, which adds the two such sums of each lane to one of 32 bits; `magnitudes` of bytes above -128; `signs`, -1
/// for what is negative and 0 for all else; and `flipped`, exclusive or.
///
/// Flipping the bits of w gives -w - 1, which fits eight bits for any w, so that no sum is beyond 2 * 128 * 127 = 32512. What is short
/// where weights were flipped, one magnitude each, is the same for all rows, and is summed by itself.
template <class Base, class Machine>
struct FlippedBytes : Base {
  using Bytes = typename Base::Bytes;
  using I32 = typename Base::I32;

  struct Activations {
    Bytes signs, magnitudes;
  };
  static Activations split(Bytes activations) { return {Machine::signs(activations), Machine::magnitudes(activations)}; }
  static I32 dot_flipped(I32 sum, Activations a, Bytes weights) {
    return Machine::add_folded(sum, Machine::pairs(Machine::flipped(weights, a.signs), a.magnitudes));
  }
  /// Adds what dot_flipped has too much, which is negative, in 16 bits: up to 128 groups.
  static Bytes add_excess(Bytes excess, Activations a) { return Machine::add_pairs(excess, Machine::pairs(a.signs, a.magnitudes)); }
  static I32 without(I32 sum, Bytes excess) { return Base::dot_i16(sum, excess, Base::splat_byte(0xff)); }
};

}  // namespace heed::kernels::isa
