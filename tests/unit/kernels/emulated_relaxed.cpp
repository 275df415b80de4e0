#include "unit/kernels/emulated_relaxed.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "kernels/generic/table.hpp"

namespace heed::test {

using kernels::isa::DotClass;
using kernels::isa::RelaxedDot;
using kernels::isa::Scalar;

namespace {

/// The sum of products i and i + 1.
template <DotClass kClass>
int pair(const Scalar::Bytes& activations, const Scalar::Bytes& weights, std::size_t i) {
  const auto product = [&](std::size_t at) {
    const int a = static_cast<std::int8_t>(activations.v[at]);
    return a * (kClass == DotClass::sdot ? static_cast<std::int8_t>(weights.v[at]) : static_cast<int>(weights.v[at]));
  };
  const int sum = product(i) + product(i + 1);
  return kClass == DotClass::sat ? std::clamp(sum, -32768, 32767) : sum;
}

std::int16_t word(const Scalar::Bytes& bytes, std::size_t i) { return static_cast<std::int16_t>(bytes.v[i] | bytes.v[i + 1] << 8); }

void put_word(Scalar::Bytes& bytes, std::size_t i, int value) {
  bytes.v[i] = static_cast<std::uint8_t>(value);
  bytes.v[i + 1] = static_cast<std::uint8_t>(value >> 8);
}

}  // namespace

// Calls, as instructions are: unrolled in every loop of every kernel, they would take the compiler twice as long.

template <DotClass kClass>
[[gnu::noinline]] Scalar::I32 EmulatedInstruction<kClass>::dot(Scalar::Bytes activations, Scalar::Bytes weights, Scalar::I32 sum) {
  for (std::size_t i = 0; i < sizeof weights.v; i += 2) sum.v[i / 4] += pair<kClass>(activations, weights, i);
  return sum;
}

template <DotClass kClass>
[[gnu::noinline]] Scalar::Bytes EmulatedInstruction<kClass>::pairs(Scalar::Bytes activations, Scalar::Bytes weights) {
  Scalar::Bytes pairs{};
  for (std::size_t i = 0; i < sizeof weights.v; i += 2) put_word(pairs, i, pair<kClass>(activations, weights, i));
  return pairs;
}

template <DotClass kClass>
[[gnu::noinline]] Scalar::Bytes EmulatedInstruction<kClass>::add_pairs(Scalar::Bytes sums, Scalar::Bytes pairs) {
  for (std::size_t i = 0; i < sizeof sums.v; i += 2) put_word(sums, i, word(sums, i) + word(pairs, i));
  return sums;
}

template <DotClass kClass>
[[gnu::noinline]] Scalar::I32 EmulatedInstruction<kClass>::add_folded(Scalar::I32 sum, Scalar::Bytes pairs) {
  for (std::size_t i = 0; i < sizeof pairs.v; i += 2) sum.v[i / 4] += word(pairs, i);
  return sum;
}

template <DotClass kClass>
[[gnu::noinline]] Scalar::Bytes EmulatedInstruction<kClass>::magnitudes(Scalar::Bytes a) {
  for (auto& byte : a.v) byte = static_cast<std::uint8_t>(std::abs(static_cast<std::int8_t>(byte)));
  return a;
}

template <DotClass kClass>
[[gnu::noinline]] Scalar::Bytes EmulatedInstruction<kClass>::signs(Scalar::Bytes a) {
  for (auto& byte : a.v) byte = byte < 0x80 ? 0 : 0xff;
  return a;
}

template <DotClass kClass>
[[gnu::noinline]] Scalar::Bytes EmulatedInstruction<kClass>::flipped(Scalar::Bytes a, Scalar::Bytes signs) {
  for (std::size_t i = 0; i < sizeof a.v; ++i) a.v[i] ^= signs.v[i];
  return a;
}

template struct EmulatedInstruction<DotClass::sdot>;
template struct EmulatedInstruction<DotClass::usdot>;
template struct EmulatedInstruction<DotClass::sat>;

Scalar::I32 BrokenInstruction::dot(Scalar::Bytes activations, Scalar::Bytes weights, Scalar::I32) {
  return EmulatedInstruction<DotClass::sdot>::dot(activations, weights, Scalar::splat_i32(0));
}

namespace {

template <DotClass kClass, class Base = Scalar>
constexpr const kernels::Kernels* kEmulated = &kernels::generic::kTable<RelaxedDot<Base, EmulatedInstruction<kClass>, kClass>>;

}  // namespace

[[gnu::noinline]] Scalar::I32 WideningScalar::dot_pairs(I32 sum, Bytes low, Bytes high, Bytes weights) {
  Bytes highs{};
  for (std::size_t i = 0; i < sizeof weights.v; i += 2) put_word(highs, i, weights.v[i + 1]);
  return dot_i16(dot_i16(sum, low, weights), high, highs);
}

std::span<const kernels::Kernels* const> emulated_relaxed() {
  static constexpr const kernels::Kernels* kAll[] = {kEmulated<DotClass::sdot>, kEmulated<DotClass::usdot>,
                                                     kEmulated<DotClass::sat, WideningScalar>,
                                                     &kernels::generic::kTable<WideningScalar>};
  return kAll;
}

}  // namespace heed::test
