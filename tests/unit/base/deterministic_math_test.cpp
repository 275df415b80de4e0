// Against libm, which is independent, and against recorded bits, which every target has to meet.
#include "base/deterministic_math.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

using heed::deterministic_exp;
using heed::deterministic_log;
using heed::deterministic_softplus;

namespace {

// Distance in units of the reference's last place; libm's own error of less than 1 included.
double ulps(double value, double reference) {
  const double size = std::abs(reference);
  return std::abs(value - reference) / (std::nextafter(size, std::numeric_limits<double>::infinity()) - size);
}

double uniform(std::mt19937_64& random, double low, double high) {
  return low + static_cast<double>(random() >> 11) * 0x1p-53 * (high - low);
}

}  // namespace

TEST_CASE("deterministic exp and log are within 3 ulp of libm", "[base]") {
  std::mt19937_64 random(1);
  double worst_exp = 0, worst_log = 0;
  for (int i = 0; i < 100000; ++i) {
    for (const double range : {1e-6, 1.0, 40.0, 700.0}) {
      const double x = uniform(random, -range, range);
      worst_exp = std::max(worst_exp, ulps(deterministic_exp(x), std::exp(x)));
      const double y = std::exp(x);
      if (std::abs(x) > 1e-3) worst_log = std::max(worst_log, ulps(deterministic_log(y), std::log(y)));
    }
  }
  CHECK(worst_exp < 3);
  CHECK(worst_log < 3);
}

TEST_CASE("deterministic exp and log at their edges", "[base]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(deterministic_exp(0.0) == 1.0);
  CHECK(deterministic_exp(-infinity) == 0.0);
  CHECK(deterministic_exp(-1e300) == 0.0);
  CHECK(deterministic_exp(infinity) == infinity);
  CHECK(deterministic_exp(-708.0) > 0.0);
  CHECK(std::isfinite(deterministic_exp(709.0)));
  CHECK(std::isnan(deterministic_exp(std::nan(""))));
  CHECK(deterministic_log(1.0) == 0.0);
  CHECK(ulps(deterministic_log(std::numeric_limits<double>::max()), std::log(std::numeric_limits<double>::max())) < 3);
}

TEST_CASE("deterministic softplus is ln(1 + e^x)", "[base]") {
  std::mt19937_64 random(3);
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = uniform(random, -60, 60), exact = std::log1p(std::exp(x));
    worst = std::max(worst, std::abs(deterministic_softplus(x) - exact) / exact);
  }
  CHECK(worst < 3e-10);  // where 1 + e^x keeps the fewest digits of e^x
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(deterministic_softplus(infinity) == infinity);
  CHECK(deterministic_softplus(-infinity) == 0.0);
}

TEST_CASE("deterministic exp and log give the same bits on every target", "[base]") {
  std::mt19937_64 random(2);
  std::uint64_t hash = 0;
  const auto add = [&hash](double value) { hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3; };
  for (int i = 0; i < 100000; ++i) {
    add(deterministic_exp(uniform(random, -100, 100)));
    add(deterministic_log(uniform(random, 0.1, 300000)));
  }
  CHECK(hash == 0xcac543834970a8f5);
}
