// The integer dot product of WebAssembly's relaxed SIMD (https://github.com/WebAssembly/relaxed-simd), made exact: its
// second operand is a signed, an unsigned or a saturating one, as the machine has it, and each answer is an instruction set of its own.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

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

/// Codes of at most four bits where sums saturate: 8 groups x 2 x 15 x 127 fits 16 bits, so that a block is summed there
/// and widened once, and not once a group.
template <class Base, class Machine>
struct NibbleDot : Base {
  using FloatIsa = typename Base::FloatIsa;
  using Bytes = typename Base::Bytes;
  using I32 = typename Base::I32;
  static constexpr std::size_t kPanelsAtOnce = 2;

  struct Dot {
    Bytes pairs;  // 16-bit sums of two products
    I32 start;
  };
  static Dot dot_start(I32 start) { return {Base::splat_byte(0), start}; }
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) {
    acc.pairs = Machine::add_pairs(activations, weights, acc.pairs);
    return acc;
  }
  static I32 dot_sum(Dot acc) { return Base::add(acc.start, Machine::fold_pairs(acc.pairs)); }
};

/// Base with the dot products of a Machine of the given class.
template <class Base, class Machine, DotClass kClass>
struct RelaxedDot : Base {
  static constexpr std::string_view kName = kClass == DotClass::sdot    ? "relaxed-sdot"
                                            : kClass == DotClass::usdot ? "relaxed-usdot"
                                                                        : "relaxed-sat";
  using FloatIsa = typename Base::FloatIsa;
  using SevenBitIsa = RelaxedDot<Base, Machine, DotClass::sdot>;
  using NibbleIsa = std::conditional_t<kClass == DotClass::sat, NibbleDot<Base, Machine>, SevenBitIsa>;
  using Bytes = typename Base::Bytes;
  using I32 = typename Base::I32;
  static constexpr std::size_t kPanelsAtOnce = 2;

  // Seven bits are exact in every class: 2 * 127 * 127 fits 16 bits. Eight are not in SAT, which leaves them to Base. The others
  // must not carry its sums along: compilers then keep arrays of them in memory, and one token's products take three times as long.
  struct BothDots {
    I32 sum;
    typename Base::Dot wide;
  };
  struct OneDot {
    I32 sum;
  };
  using Dot = std::conditional_t<kClass == DotClass::sat, BothDots, OneDot>;
  static Dot dot_start(I32 start) {
    if constexpr (kClass == DotClass::sat) return {start, Base::dot_start(Base::splat_i32(0))};
    else return {start};
  }
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) {
    acc.sum = Machine::dot(activations, weights, acc.sum);
    return acc;
  }
  static constexpr int kSignedBias = kClass == DotClass::usdot ? 128 : 0;
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) {
    if constexpr (kClass == DotClass::sat) {
      acc.wide = Base::dot_i8(acc.wide, activations, weights);
      return acc;
    } else {
      return dot_u7(acc, activations, weights);
    }
  }
  static I32 dot_sum(Dot acc) {
    if constexpr (kClass == DotClass::sat) return Base::add(acc.sum, Base::dot_sum(acc.wide));
    else return acc.sum;
  }
};

}  // namespace heed::kernels::isa
