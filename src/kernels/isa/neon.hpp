// AArch64: f32 and i32 lanes from xsimd, operations on bytes from the intrinsics of Advanced SIMD
// (https://arm-software.github.io/acle/neon_intrinsics/). Integer dots widen to 16 bits.
#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "kernels/isa/xsimd_lanes.hpp"

namespace heed::kernels::isa {

struct Neon : XsimdLanes<xsimd::neon64> {
  using FloatIsa = Neon;
  using SignedIsa = Neon;
  template <int kTop>
  using UnsignedIsa = Neon;
  struct Bytes {
    uint8x16_t v;
  };

  static constexpr std::string_view kName = "neon";

  static F32 div(F32 a, F32 b) { return F32(vdivq_f32(a, b)); }  // exact, unlike xsimd's
  static F32 load_f16_bits(const std::uint16_t* p) { return half_bits(I32(vmovl_s16(vreinterpret_s16_u16(vld1_u16(p))))); }
  static F32 load_f16(const std::uint16_t* p) { return load_f16_bits(p) * F32(0x1p112f); }
  static F32 load_bf16(const std::uint16_t* p) { return from_bits(I32(vreinterpretq_s32_u32(vshll_n_u16(vld1_u16(p), 16)))); }
  static void load_i8_as_i32(const std::int8_t* p, I32& first, I32& second) {
    const int16x8_t words = vmovl_s8(vld1_s8(p));
    first = I32(vmovl_s16(vget_low_s16(words)));
    second = I32(vmovl_s16(vget_high_s16(words)));
  }
  static I32 load_u8_as_i32(const std::uint8_t* p) {
    const uint16x8_t words = vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(four_bytes(p))));
    return I32(vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(words))));
  }
  static void store_low_bytes(std::int8_t* p, I32 a) {
    const int16x4_t words = vmovn_s32(a);
    const std::uint32_t bytes = vget_lane_u32(vreinterpret_u32_s8(vmovn_s16(vcombine_s16(words, words))), 0);
    std::memcpy(p, &bytes, sizeof bytes);
  }
  static void store_low_halves(std::int16_t* p, I32 a) { vst1_s16(p, vmovn_s32(a)); }

  static Bytes load_bytes(const std::byte* p) { return {vld1q_u8(reinterpret_cast<const std::uint8_t*>(p))}; }
  static Bytes splat_group(const std::byte* p) { return {vreinterpretq_u8_u32(vdupq_n_u32(four_bytes(p)))}; }
  static Bytes splat_byte(std::uint8_t x) { return {vdupq_n_u8(x)}; }
  static Bytes and_(Bytes a, Bytes b) { return {vandq_u8(a.v, b.v)}; }
  static Bytes or_(Bytes a, Bytes b) { return {vorrq_u8(a.v, b.v)}; }
  template <int N>
  static Bytes shift_right_16(Bytes a) {
    return {vreinterpretq_u8_u16(vshrq_n_u16(vreinterpretq_u16_u8(a.v), N))};
  }

  static Bytes load_table(const std::int8_t* table) { return {vreinterpretq_u8_s8(vld1q_s8(table))}; }
  static Bytes look_up(Bytes table, Bytes index) { return {vqtbl1q_u8(table.v, index.v)}; }

  static Bytes load_i8_as_i16(const std::int8_t* p) { return {vreinterpretq_u8_s16(vmovl_s8(vld1_s8(p)))}; }
  static I32 dot_i16(I32 acc, Bytes a, Bytes b) {
    const int16x8_t x = vreinterpretq_s16_u8(a.v), y = vreinterpretq_s16_u8(b.v);
    return acc + I32(vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y)));
  }

  /// Pairs of products: lanes (row 0, row 0, row 1, row 1) in low, (row 2, row 2, row 3, row 3) in high.
  struct Dot {
    int32x4_t low, high, start;
  };
  static Dot dot_start(I32 start) { return {vdupq_n_s32(0), vdupq_n_s32(0), start}; }
  static constexpr int kSignedBias = 0;
  static Dot dot_i8(Dot acc, Bytes activations, Bytes weights) {
    const int8x16_t a = vreinterpretq_s8_u8(activations.v), w = vreinterpretq_s8_u8(weights.v);
    return {vpadalq_s16(acc.low, vmull_s8(vget_low_s8(a), vget_low_s8(w))), vpadalq_s16(acc.high, vmull_high_s8(a, w)), acc.start};
  }
  static Dot dot_u7(Dot acc, Bytes activations, Bytes weights) { return dot_i8(acc, activations, weights); }
  static I32 dot_sum(Dot acc) { return I32(vaddq_s32(acc.start, vpaddq_s32(acc.low, acc.high))); }

 private:
  static std::uint32_t four_bytes(const void* p) {
    std::uint32_t bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    return bytes;
  }
};

}  // namespace heed::kernels::isa
