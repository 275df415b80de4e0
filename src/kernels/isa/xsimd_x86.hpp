// x86-64: f32 and i32 lanes from xsimd, operations on bytes from intrinsics. Arch is xsimd::sse4_1, xsimd::avx2, or the base of an
// instruction set with its own dot product.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "kernels/isa/pair_sums.hpp"
#include "kernels/isa/x86_bytes.hpp"
#include "kernels/isa/xsimd_lanes.hpp"

namespace heed::kernels::isa {

template <class Arch>
struct XsimdX86 : XsimdLanes<Arch> {
  using Lanes = XsimdLanes<Arch>;
  using FloatIsa = XsimdX86;
  using SignedIsa = XsimdX86;
  template <int kTop>
  using UnsignedIsa = PairSums<kTop, XsimdX86, XsimdX86, XsimdX86>;
  using F32 = typename Lanes::F32;
  using I32 = typename Lanes::I32;
  using Register = typename I32::register_type;
  struct Bytes {
    Register v;
  };
  using Dot = I32;

  static constexpr std::string_view kName = std::is_same_v<Arch, xsimd::sse4_1> ? "sse41" : "avx2";

  static F32 load_f16_bits(const std::uint16_t* p) { return Lanes::half_bits(x86::widen_i16(p, Register{})); }
  static F32 load_f16(const std::uint16_t* p) { return load_f16_bits(p) * F32(0x1p112f); }
  static F32 load_bf16(const std::uint16_t* p) { return Lanes::from_bits(I32(x86::widen_u16(p, Register{})) << 16); }
  static void load_i8_as_i32(const std::int8_t* p, I32& first, I32& second) {
    first = x86::widen_i8(p, Register{});
    second = x86::widen_i8(p + I32::size, Register{});
  }
  static I32 load_u8_as_i32(const std::uint8_t* p) { return x86::widen_u8(p, Register{}); }
  static void store_low_bytes(std::int8_t* p, I32 a) { x86::narrow_i8(p, a); }
  static void store_low_halves(std::int16_t* p, I32 a) { x86::narrow_i16(p, a); }

  static Bytes load_bytes(const std::byte* p) { return {x86::load(p, Register{})}; }
  static Bytes splat_group(const std::byte* p) {
    std::int32_t group;
    std::memcpy(&group, p, sizeof group);
    return {x86::splat32(group, Register{})};
  }
  static Bytes splat_byte(std::uint8_t x) { return {x86::splat32(x * 0x01010101, Register{})}; }
  static Bytes and_(Bytes a, Bytes b) { return {x86::and_(a.v, b.v)}; }
  static Bytes or_(Bytes a, Bytes b) { return {x86::or_(a.v, b.v)}; }
  template <int N>
  static Bytes shift_right_16(Bytes a) {
    return {x86::shr16(a.v, N)};
  }

  static Bytes load_table(const std::int8_t* table) { return {x86::load_table(table, Register{})}; }
  static Bytes look_up(Bytes table, Bytes index) { return {x86::look_up(table.v, index.v)}; }

  static Bytes load_i8_as_i16(const std::int8_t* p) { return {x86::widen_i8_to_i16(p, Register{})}; }
  static I32 dot_i16(I32 acc, Bytes a, Bytes b) { return acc + I32(x86::madd(a.v, b.v)); }

  // maddubs adds pairs in 16 bits that saturate at 32767. Neither form reaches it: 2 * 127 * 127 = 32258 for seven bits,
  // and 2 * 128 * 127 = 32512 for |weight| <= 128 against activations of at most 127.
  static Dot dot_start(I32 start) { return start; }
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) {
    return acc + I32(x86::madd(x86::maddubs(weights.v, activations.v), x86::ones16(Register{})));
  }
  static Bytes pairs(Bytes activations, Bytes weights) { return {x86::maddubs(weights.v, activations.v)}; }
  static Bytes add_pairs(Bytes sums, Bytes pairs) { return {x86::add16(sums.v, pairs.v)}; }
  static I32 add_folded(I32 sum, Bytes pairs) { return sum + I32(x86::madd(pairs.v, x86::ones16(Register{}))); }
  static constexpr int kSignedBias = 0;
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) {
    const Register pairs = x86::maddubs(x86::abs8(weights.v), x86::copy_sign8(activations.v, weights.v));
    return acc + I32(x86::madd(pairs, x86::ones16(Register{})));
  }
  static I32 dot_sum(Dot acc) { return acc; }
};

}  // namespace heed::kernels::isa
