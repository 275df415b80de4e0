// The relaxed dot product: what a machine answers decides how it is used.
#include "kernels/isa/relaxed_dot.hpp"

#include <catch2/catch_test_macros.hpp>

#include "kernels/dispatch.hpp"
#include "support/fuzz.hpp"
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

/// dot_u7 with seven bits and dot_i8 with eight, at their extremes and at random, against plain sums.
template <DotClass kClass>
void check_exact() {
  using Page = isa::RelaxedDot<Scalar, EmulatedInstruction<kClass>, kClass>;
  heed::test::Fuzz fuzz(1);
  for (int round = 0; round < 1000; ++round) {
    const auto pick = [&](int low, int high) {
      const std::size_t choice = fuzz.from_to(0, 3);
      return choice == 0   ? low
             : choice == 1 ? high
                           : static_cast<int>(fuzz.from_to(0, 255)) % (high - low + 1) + low;
    };
    typename Page::Bytes activations, unsigned_weights, signed_weights;
    int unsigned_sum[4] = {}, signed_sum[4] = {}, activation_sum[4] = {};
    for (std::size_t i = 0; i < 16; ++i) {
      const int a = pick(-127, 127), u = pick(0, 127), s = pick(-128, 127);
      activations.v[i] = static_cast<std::uint8_t>(a);
      unsigned_weights.v[i] = static_cast<std::uint8_t>(u);
      signed_weights.v[i] = static_cast<std::uint8_t>(s + Page::kSignedBias);
      unsigned_sum[i / 4] += a * u;
      signed_sum[i / 4] += a * s;
      activation_sum[i / 4] += a;
    }
    const auto u7 =
        Page::dot_sum(Page::dot_u7(Page::dot_start(Scalar::splat_i32(0)), activations, unsigned_weights));
    const auto i8 =
        Page::dot_sum(Page::dot_i8(Page::dot_start(Scalar::splat_i32(0)), activations, signed_weights));
    for (std::size_t lane = 0; lane < 4; ++lane) {
      REQUIRE(u7.v[lane] == unsigned_sum[lane]);
      REQUIRE(i8.v[lane] - Page::kSignedBias * activation_sum[lane] == signed_sum[lane]);
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

TEST_CASE("a block of nibbles at their extremes fits where sums saturate", "[kernels][relaxed]") {
  using Page = isa::NibbleDot<Scalar, EmulatedInstruction<DotClass::sat>>;
  for (const int a : {-127, 127}) {
    auto dot = Page::dot_start(Scalar::splat_i32(5));
    for (int group = 0; group < 8; ++group)
      dot = Page::dot_u7(dot, Scalar::splat_byte(static_cast<std::uint8_t>(a)), Scalar::splat_byte(15));
    for (const std::int32_t lane : Page::dot_sum(dot).v) CHECK(lane == 5 + 32 * 15 * a);
  }
}

#ifdef __wasm_relaxed_simd__
TEST_CASE("this machine's relaxed dot product is of a known class", "[kernels][relaxed]") {
  CHECK(heed::kernels::select().name.starts_with("relaxed-"));
}
#endif
