// The relaxed dot product: the probe's result determines the kernels.
#include "kernels/isa/relaxed_dot.hpp"

#include <catch2/catch_test_macros.hpp>

#include "kernels/isa/instruction_set.hpp"
#include "support/fuzz.hpp"
#include "unit/kernels/check_target.hpp"
#include "unit/kernels/emulated_relaxed.hpp"

namespace isa = heed::kernels::isa;
using heed::test::EmulatedInstruction;
using isa::DotClass;
using isa::Scalar;

namespace {

template <class Machine>
DotClass probe() {
  return isa::probe_dot_class<Scalar, Machine>();
}

/// Signed weights times activations, as products of one token sum them.
template <class Isa>
Scalar::I32 signed_dot(Scalar::Bytes activations, Scalar::Bytes weights) {
  if constexpr (isa::FlippedDots<Isa>) {
    const auto split = Isa::split(activations);
    return Isa::without(Isa::dot_flipped(Scalar::splat_i32(0), split, weights), Isa::add_excess(Scalar::splat_byte(0), split));
  } else {
    return Isa::dot_sum(Isa::dot_i8(Isa::dot_start(Scalar::splat_i32(0)), activations, weights));
  }
}

/// Unsigned weights of seven bits and signed ones of eight, at their extremes and at random, against plain sums.
template <DotClass kClass>
void check_exact() {
  using Isa = isa::RelaxedDot<Scalar, EmulatedInstruction<kClass>, kClass>;
  using Signed = typename Isa::SignedIsa;
  using Unsigned = typename Isa::template UnsignedIsa<127>;
  heed::test::Fuzz fuzz(1);
  for (int round = 0; round < 1000; ++round) {
    const auto pick = [&](int low, int high) {
      const std::size_t choice = fuzz.from_to(0, 3);
      return choice == 0 ? low : choice == 1 ? high : static_cast<int>(fuzz.from_to(0, 255)) % (high - low + 1) + low;
    };
    typename Isa::Bytes activations, unsigned_weights, signed_weights;
    int unsigned_sum[4] = {}, signed_sum[4] = {}, activation_sum[4] = {};
    for (std::size_t i = 0; i < 16; ++i) {
      const int a = pick(-127, 127), u = pick(0, 127), s = pick(-128, 127);
      activations.v[i] = static_cast<std::uint8_t>(a);
      unsigned_weights.v[i] = static_cast<std::uint8_t>(u);
      signed_weights.v[i] = static_cast<std::uint8_t>(s + Signed::kSignedBias);
      unsigned_sum[i / 4] += a * u;
      signed_sum[i / 4] += a * s;
      activation_sum[i / 4] += a;
    }
    const auto u7 = Unsigned::dot_sum(Unsigned::dot_u7(Unsigned::dot_start(Scalar::splat_i32(0)), activations, unsigned_weights));
    const auto i8 = signed_dot<Signed>(activations, signed_weights);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      REQUIRE(u7.v[lane] == unsigned_sum[lane]);
      REQUIRE(i8.v[lane] - Signed::kSignedBias * activation_sum[lane] == signed_sum[lane]);
    }
  }
}

}  // namespace

TEST_CASE("the probe tells the classes of the relaxed dot product apart", "[kernels][relaxed]") {
  CHECK(probe<EmulatedInstruction<DotClass::sdot>>() == DotClass::sdot);
  CHECK(probe<EmulatedInstruction<DotClass::usdot>>() == DotClass::usdot);
  CHECK(probe<EmulatedInstruction<DotClass::sat>>() == DotClass::sat);
  CHECK(probe<heed::test::BrokenInstruction>() == DotClass::unknown);
}

TEST_CASE("relaxed dot products are exact in every class", "[kernels][relaxed]") {
  check_exact<DotClass::sdot>();
  check_exact<DotClass::usdot>();
  check_exact<DotClass::sat>();
}

TEST_CASE("signed weights are flipped where sums saturate", "[kernels][relaxed]") {
  using Isa = isa::RelaxedDot<Scalar, EmulatedInstruction<DotClass::sat>, DotClass::sat>;
  STATIC_CHECK(isa::FlippedDots<Isa::SignedIsa>);
}

TEST_CASE("a block of nibbles at their extremes fits where sums saturate", "[kernels][relaxed]") {
  using Isa = isa::NibblePairs<Scalar, EmulatedInstruction<DotClass::sat>>;
  for (const int a : {-127, 127}) {
    auto dot = Isa::dot_start(Scalar::splat_i32(5));
    for (int group = 0; group < 8; ++group)
      dot = Isa::dot_u7(dot, Scalar::splat_byte(static_cast<std::uint8_t>(a)), Scalar::splat_byte(15));
    for (const std::int32_t lane : Isa::dot_sum(dot).v) CHECK(lane == 5 + 32 * 15 * a);
  }
}

namespace {

/// The sums of a group of weights of kTop, as many as 16 bits hold, times activations at their extremes.
template <int kTop>
void check_groups() {
  using Isa = isa::PairSums<kTop, Scalar, EmulatedInstruction<DotClass::sat>, Scalar>;
  for (const int a : {-127, 127}) {
    const auto pairs = Isa::pairs(Scalar::splat_byte(static_cast<std::uint8_t>(a)), Scalar::splat_byte(kTop));
    auto sums = pairs;
    for (std::size_t group = 1; group < Isa::kGroupsInPairs; ++group) sums = Isa::add_pairs(sums, pairs);
    for (const std::int32_t lane : Isa::add_folded(Scalar::splat_i32(5), sums).v)
      CHECK(lane == 5 + static_cast<int>(Isa::kGroupsInPairs) * 4 * kTop * a);
  }
}

}  // namespace

TEST_CASE("groups of five and six bits at their extremes fit where sums saturate", "[kernels][relaxed]") {
  check_groups<31>();
  check_groups<63>();
}

TEST_CASE("relaxed dot products give the scalar target's bits, however a machine answers", "[kernels][relaxed]") {
  for (const heed::kernels::Kernels* target : heed::test::emulated_relaxed()) {
    DYNAMIC_SECTION(target->name) { heed::test::check_same_as_scalar(*target); }
  }
}
