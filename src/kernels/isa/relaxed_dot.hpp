// Exact dot products by the integer dot product of WebAssembly's relaxed SIMD (https://github.com/WebAssembly/relaxed-simd). The
// machine determines whether the second operand is signed, unsigned or saturates; each case is an instruction set of its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/isa/flipped_bytes.hpp"
#include "kernels/isa/pair_sums.hpp"

namespace heed::kernels::isa {

/// The meaning of the second operand of i32x4.relaxed_dot_i8x16_i7x16_add if it has eight bits.
enum class DotClass : std::uint8_t {
  sdot,     // signed
  usdot,    // unsigned
  sat,      // unsigned; pairs are added in 16 bits that saturate, so only seven bits are exact
  unknown,  // none of these: the engine is broken, the instruction must not be used
};

/// Probes the machine. Machine::dot(a, b, sum) is the instruction on Isa's registers. The sum does not start at zero, because one
/// engine is known to drop it (V8 11.3).
template <class Isa, class Machine>
DotClass probe_dot_class() {
  volatile std::uint8_t one = 1, low = 0x80, minus_one = 0xff;  // volatile, so that the compiler does not compute the result
  const auto dot = [](std::uint8_t a, std::uint8_t b) {
    const auto sum = Machine::dot(Isa::splat_byte(a), Isa::splat_byte(b), Isa::splat_i32(1000));
    float lanes[Isa::kLanes];
    Isa::store(lanes, Isa::to_f32(sum));
    return static_cast<std::int32_t>(lanes[0]) - 1000;
  };
  const std::int32_t first = dot(one, low), second = dot(low, minus_one);
  if (first == 4 * -128 && second == 4 * 128) return DotClass::sdot;
  if (first == 4 * 128 && second == 4 * -128 * 255) return DotClass::usdot;
  if (first == 4 * 128 && second == 2 * -32768) return DotClass::sat;
  return DotClass::unknown;
}

/// Adds to Base exact dot products of signed weights, and of unsigned ones of seven bits, on a Machine of the given class.
template <class Base, class Machine, DotClass kClass>
struct RelaxedDot : Base {
  static constexpr std::string_view kName = kClass == DotClass::sdot ? "relaxed-sdot" : "relaxed-usdot";
  using FloatIsa = typename Base::FloatIsa;
  using SignedIsa = RelaxedDot;
  template <int kTop>
  using UnsignedIsa = RelaxedDot<Base, Machine, DotClass::sdot>;
  using Bytes = typename Base::Bytes;
  using I32 = typename Base::I32;
  static constexpr bool kWidensTiles = false;

  // A struct, because compilers keep arrays of bare registers in memory, which makes the products of one token three times as slow.
  struct Dot {
    I32 sum;
  };
  static Dot dot_start(I32 start) { return {start}; }
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) { return {Machine::dot(activations, weights, acc.sum)}; }
  static constexpr int kSignedBias = kClass == DotClass::usdot ? 128 : 0;
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) { return dot_u7(acc, activations, weights); }
  static I32 dot_sum(Dot acc) { return acc.sum; }
};

/// The class `sat`. With one token, signed weights are negated where the activation is negative, and multiplied by its magnitude
/// (FlippedBytes); tiles of several tokens multiply them as Base does. Unsigned weights of seven bits, which only codebooks have,
/// need nothing special: they use the code of `sdot`, which saves 2 KB per module.
template <class Base, class Machine>
struct RelaxedDot<Base, Machine, DotClass::sat> : Base {
  static constexpr std::string_view kName = "relaxed-sat";
  using FloatIsa = typename Base::FloatIsa;
  using SignedIsa = FlippedBytes<typename Base::SignedIsa, Machine>;
  template <int kTop>
  using UnsignedIsa = PairSums<kTop, Base, Machine, RelaxedDot<Base, Machine, DotClass::sdot>>;
};

}  // namespace heed::kernels::isa
