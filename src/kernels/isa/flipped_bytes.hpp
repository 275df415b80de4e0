// Products of signed weights on machines that multiply bytes with saturating 16-bit sums and allow only seven bits in one operand.
// This operand is the magnitude of the activation; the weight is negated if the activation is negative.
#pragma once

namespace heed::kernels::isa {

/// Adds to Base the products of 8-bit signed weights with the activations of one token. Machine has `pairs`, the 16-bit sums of two
/// products; `add_pairs`; `add_folded`, which adds both 16-bit sums of a lane to a 32-bit one; `magnitudes` of bytes above -128;
/// `signs`, -1 for negative bytes and 0 for others; and `flipped`, exclusive or.
///
/// Flipping the bits of w gives -w - 1, which fits eight bits for any w, so that no sum exceeds 2 * 128 * 127 = 32512. The error,
/// one magnitude per flipped weight, is the same for all rows, and is summed separately.
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
  /// Adds the error of dot_flipped, which is negative, in 16 bits: sufficient for 128 groups.
  static Bytes add_excess(Bytes excess, Activations a) { return Machine::add_pairs(excess, Machine::pairs(a.signs, a.magnitudes)); }
  static I32 without(I32 sum, Bytes excess) { return Base::dot_i16(sum, excess, Base::splat_byte(0xff)); }
};

}  // namespace heed::kernels::isa
