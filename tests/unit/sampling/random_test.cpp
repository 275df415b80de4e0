// Against the first numbers of the published generators (splitmix64.c seeding xoshiro256starstar.c).
#include "sampling/random.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

using heed::sampling::Random;

TEST_CASE("the random numbers are xoshiro256** seeded by SplitMix64", "[sampling]") {
  Random zero(0);
  CHECK(zero.next() == 0x99ec5f36cb75f2b4);
  CHECK(zero.next() == 0xbf6e1f784956452a);
  CHECK(zero.next() == 0x1a5f849d4933e6e0);
  Random other(42);
  CHECK(other.next() == 0x15780b2e0c2ec716);
  CHECK(other.next() == 0x6104d9866d113a7e);
}

TEST_CASE("uniform numbers are in [0, 1) and fill it evenly", "[sampling]") {
  Random random(7);
  int low = 0;
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform();
    REQUIRE((x >= 0 && x < 1));
    low += x < 0.25;
    sum += x;
  }
  CHECK(std::abs(low - 25000) < 700);  // five standard deviations
  CHECK(std::abs(sum - 50000) < 460);
}
