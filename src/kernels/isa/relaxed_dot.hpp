// The integer dot product of WebAssembly's relaxed SIMD (https://github.com/WebAssembly/relaxed-simd), made exact: its
// second operand is a signed, an unsigned or a saturating one, as the machine has it, and each answer is an instruction set of its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/isa/flipped_bytes.hpp"
#include "kernels/isa/pair_sums.hpp"

namespace heed::kernels::isa {

/// What i32x4.relaxed_dot_i8x16_i7x16_add does with a second operand of eight bits.
enum class DotClass : std::uint8_t {
  sdot,     // takes it as signed
  usdot,    // takes it as unsigned
  sat,      // takes it as unsigned, and adds pairs in 16 bits that saturate: only seven bits are safe
  unknown,  // none of these: a broken engine, do not use the instruction
};

/// Asks the machine: Machine::dot(a, b, sum) is the instruction on Isa's registers. The sum does not start at zero,
/// because one engine is known to drop it (V8 11.3).
template <class Isa, class Machine>
DotClass probe_dot_class() {
  volatile std::uint8_t one = 1, low = 0x80, minus_one = 0xff;  // volatile: the engine must answer, not the compiler
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

/// Base with the dot products of a Machine of the given class, exact for signed weights and for unsigned ones of seven bits.
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

  // A type of its own: where sums are bare registers, compilers keep arrays of them in memory, and one token's products take three
  // times as long.
  struct Dot {
    I32 sum;
  };
  static Dot dot_start(I32 start) { return {start}; }
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) { return {Machine::dot(activations, weights, acc.sum)}; }
  static constexpr int kSignedBias = kClass == DotClass::usdot ? 128 : 0;
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) { return dot_u7(acc, activations, weights); }
  static I32 dot_sum(Dot acc) { return acc.sum; }
};

/// Where sums saturate, signed weights are multiplied by the magnitudes of activations, but by Base in tiles. Unsigned ones of seven bits,
/// which only codebooks have, share the code of the other classes: 2 KB less in each module.
template <class Base, class Machine>
struct RelaxedDot<Base, Machine, DotClass::sat> : Base {
  static constexpr std::string_view kName = "relaxed-sat";
  using FloatIsa = typename Base::FloatIsa;
  using SignedIsa = FlippedBytes<typename Base::SignedIsa, Machine>;
  template <int kTop>
  using UnsignedIsa = PairSums<kTop, Base, Machine, RelaxedDot<Base, Machine, DotClass::sdot>>;
};

}  // namespace heed::kernels::isa
