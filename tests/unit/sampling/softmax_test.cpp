#include "sampling/softmax.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "sampling/score.hpp"
#include "support/infinity.hpp"

using Catch::Matchers::WithinRel;
using heed::sampling::best_score;
using heed::sampling::softmax_total;
using heed::sampling::softmax_weight;
using heed::test::kInfinity;

namespace {

std::vector<float> random_logits(std::size_t size) {
  std::mt19937 random(9);
  std::vector<float> logits(size);
  for (auto& logit : logits) logit = static_cast<float>(random() % 40000) * 1e-3f - 20.0f;
  return logits;
}

}  // namespace

TEST_CASE("softmax weights are within 1e-11 of libm's exp", "[sampling]") {
  double worst = 0;
  for (double x = 0; x > -700; x -= 0.00731) worst = std::max(worst, std::abs(softmax_weight(x) / std::exp(x) - 1));
  CHECK(worst < 1e-11);
}

TEST_CASE("softmax weights at their edges", "[sampling]") {
  CHECK(softmax_weight(0.0) == 1.0);
  CHECK(softmax_weight(-700.0) > 0.0);
  CHECK(softmax_weight(-700.1) == 0.0);
  CHECK(softmax_weight(-std::numeric_limits<double>::infinity()) == 0.0);
  CHECK(softmax_weight(std::nan("")) == 0.0);
}

TEST_CASE("the total is the sum over all logits, whatever their number", "[sampling]") {
  for (const std::size_t size : {1, 7, 8, 9, 1000}) {
    const auto logits = random_logits(size);
    const float best = std::ranges::max(logits);
    double expected = 0;
    for (const float logit : logits) expected += std::exp(static_cast<double>(logit) - best);
    CHECK_THAT(softmax_total(logits, best), WithinRel(expected, 1e-6));
  }
  const std::vector<float> wild = {1.0f, NAN, -kInfinity, 1.0f};
  CHECK(softmax_total(wild, 1.0f) == 2.0);
  std::vector<float> many(1 << 20, -16.5f);  // each is lost beside a one, in floats
  many[0] = 0.0f;
  CHECK_THAT(softmax_total(many, 0.0f), WithinRel(1 + ((1 << 20) - 1) * std::exp(-16.5), 1e-6));
  const std::vector<float> infinite = {kInfinity, kInfinity, 5.0f};
  CHECK(softmax_total(infinite, std::numeric_limits<float>::max()) == 2.0);
}

TEST_CASE("the total has the same bits on every target", "[sampling]") {
  const auto logits = random_logits(30001);
  CHECK(std::bit_cast<std::uint64_t>(softmax_total(logits, std::ranges::max(logits))) == 0x40876fc9be99a85a);
}

TEST_CASE("the best score is the largest number, wherever it is", "[sampling]") {
  constexpr float kLargest = std::numeric_limits<float>::max();
  CHECK(best_score({}) == -kInfinity);
  for (const std::size_t size : {1, 15, 16, 17, 100}) {
    CHECK(best_score(std::vector<float>(size, NAN)) == -kInfinity);
    for (std::size_t at = 0; at < size; ++at) {
      std::vector<float> logits(size, -3.0f);
      logits[at] = -2.0f;
      if (size > 1) logits[(at + 1) % size] = NAN;
      CHECK(best_score(logits) == -2.0f);
      logits[at] = kInfinity;
      CHECK(best_score(logits) == kLargest);
    }
  }
}
