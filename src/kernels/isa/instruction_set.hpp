// The concept of an instruction set, so that the compiler names the functions that a new one lacks. scalar.hpp documents each
// function and implements it in plain C++.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heed::kernels::isa {

template <class I>
concept FloatLanes = requires(float* to, const float* from, const std::uint16_t* halves, typename I::F32 a) {
  { I::kLanes } -> std::convertible_to<std::size_t>;
  { I::splat(1.0f) } -> std::same_as<typename I::F32>;
  { I::in_memory(from) } -> std::same_as<const float*>;
  { I::load(from) } -> std::same_as<typename I::F32>;
  { I::load_f16(halves) } -> std::same_as<typename I::F32>;
  { I::load_f16_bits(halves) } -> std::same_as<typename I::F32>;
  { I::load_bf16(halves) } -> std::same_as<typename I::F32>;
  I::store(to, a);
  { I::add(a, a) } -> std::same_as<typename I::F32>;
  { I::sub(a, a) } -> std::same_as<typename I::F32>;
  { I::mul(a, a) } -> std::same_as<typename I::F32>;
  { I::div(a, a) } -> std::same_as<typename I::F32>;
  { I::abs(a) } -> std::same_as<typename I::F32>;
  { I::max(a, a) } -> std::same_as<typename I::F32>;
  { I::min(a, a) } -> std::same_as<typename I::F32>;
  { I::where_less(a, a, a) } -> std::same_as<typename I::F32>;
};

template <class I>
concept IntegerLanes = requires(std::int8_t* bytes, std::int16_t* halves, const std::uint8_t* from, typename I::F32 f,
                                typename I::I32 a) {
  { I::splat_i32(1) } -> std::same_as<typename I::I32>;
  I::load_i8_as_i32(bytes, a, a);
  { I::load_u8_as_i32(from) } -> std::same_as<typename I::I32>;
  { I::add(a, a) } -> std::same_as<typename I::I32>;
  { I::mul(a, a) } -> std::same_as<typename I::I32>;
  { I::to_f32(a) } -> std::same_as<typename I::F32>;
  { I::bits(f) } -> std::same_as<typename I::I32>;
  { I::from_bits(a) } -> std::same_as<typename I::F32>;
  { I::template shift_left<3>(a) } -> std::same_as<typename I::I32>;
  I::store_low_bytes(bytes, a);
  I::store_low_halves(halves, a);
};

template <class I>
concept ByteLanes = requires(const std::byte* from, const std::int8_t* table, typename I::Bytes a) {
  { I::load_bytes(from) } -> std::same_as<typename I::Bytes>;
  { I::splat_group(from) } -> std::same_as<typename I::Bytes>;
  { I::splat_byte(1) } -> std::same_as<typename I::Bytes>;
  { I::and_(a, a) } -> std::same_as<typename I::Bytes>;
  { I::or_(a, a) } -> std::same_as<typename I::Bytes>;
  { I::template shift_right_16<4>(a) } -> std::same_as<typename I::Bytes>;
  { I::load_table(table) } -> std::same_as<typename I::Bytes>;
  { I::look_up(a, a) } -> std::same_as<typename I::Bytes>;
};

/// Dot products with unsigned weights.
template <class I>
concept UnsignedDots = requires(typename I::Dot dot, typename I::I32 sum, typename I::Bytes a) {
  { I::dot_start(sum) } -> std::same_as<typename I::Dot>;
  { I::dot_u7(dot, a, a) } -> std::same_as<typename I::Dot>;
  { I::dot_sum(dot) } -> std::same_as<typename I::I32>;
};

/// Dot products with unsigned weights, two per 16-bit lane, and the widened activations of one token (kernels.hpp).
template <class I>
concept PairedDots = I::kWidensTiles && requires(typename I::I32 sum, typename I::Bytes a) {
  { I::dot_pairs(sum, a, a, a) } -> std::same_as<typename I::I32>;
};

/// Dot products with unsigned weights, where 16 bits hold the sums of kGroupsInPairs groups.
template <class I>
concept GroupedDots = requires(typename I::I32 sum, typename I::Bytes a) {
  { I::kGroupsInPairs } -> std::convertible_to<std::size_t>;
  { I::pairs(a, a) } -> std::same_as<typename I::Bytes>;
  { I::add_pairs(a, a) } -> std::same_as<typename I::Bytes>;
  { I::add_folded(sum, a) } -> std::same_as<typename I::I32>;
};

/// Dot products with signed weights.
template <class I>
concept SignedDots = requires(typename I::Dot dot, typename I::I32 sum, typename I::Bytes a) {
  { I::dot_start(sum) } -> std::same_as<typename I::Dot>;
  { I::kSignedBias } -> std::convertible_to<int>;
  { I::dot_i8(dot, a, a) } -> std::same_as<typename I::Dot>;
  { I::dot_sum(dot) } -> std::same_as<typename I::I32>;
};

/// Dot products with signed weights for one token, where each weight gets the sign of its product.
template <class I>
concept FlippedDots = requires(typename I::I32 sum, typename I::Bytes a, typename I::Activations split) {
  { I::split(a) } -> std::same_as<typename I::Activations>;
  { I::dot_flipped(sum, split, a) } -> std::same_as<typename I::I32>;
  { I::add_excess(a, split) } -> std::same_as<typename I::Bytes>;
  { I::without(sum, a) } -> std::same_as<typename I::I32>;
};

/// Dot products of pairs of 16-bit numbers.
template <class I>
concept PairDots = requires(const std::int8_t* bytes, typename I::I32 sum, typename I::Bytes a) {
  { I::load_i8_as_i16(bytes) } -> std::same_as<typename I::Bytes>;
  { I::dot_i16(sum, a, a) } -> std::same_as<typename I::I32>;
};

/// Widening of bytes to 16 bits, for tiles.
template <class I>
concept WidenedTiles = !I::kWidensTiles || requires(typename I::Bytes a) {
  { I::sub_bytes(a, a) } -> std::same_as<typename I::Bytes>;
  { I::even_i8_as_i16(a) } -> std::same_as<typename I::Bytes>;
  { I::odd_i8_as_i16(a) } -> std::same_as<typename I::Bytes>;
};

/// The functions for products: of an instruction set, or of its SignedIsa or UnsignedIsa.
template <class I>
concept WeightProducts = FloatLanes<I> && IntegerLanes<I> && ByteLanes<I> && WidenedTiles<I>;

template <class I>
concept UnsignedProducts = WeightProducts<I> && (UnsignedDots<I> || GroupedDots<I> || PairedDots<I>);

template <class I>
concept InstructionSet = PairDots<typename I::FloatIsa> && FloatLanes<typename I::FloatIsa> &&
                         WeightProducts<typename I::SignedIsa> && SignedDots<typename I::SignedIsa> &&
                         UnsignedProducts<typename I::template UnsignedIsa<15>> &&
                         UnsignedProducts<typename I::template UnsignedIsa<63>> &&
                         UnsignedProducts<typename I::template UnsignedIsa<127>> && requires {
                           { I::kName } -> std::convertible_to<std::string_view>;
                         };

}  // namespace heed::kernels::isa
