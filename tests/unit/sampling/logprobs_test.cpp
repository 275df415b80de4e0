#include "sampling/logprobs.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <random>

#include "support/errors.hpp"
#include "support/infinity.hpp"

using Catch::Matchers::WithinAbs;
using heed::sampling::top_logprobs;
using heed::test::kInfinity;

TEST_CASE("log-probabilities follow a softmax, best first", "[sampling]") {
  const std::vector<float> logits = {1.0f, 3.0f, 2.0f, 3.0f, -5.0f};
  double total = 0;
  for (const float logit : logits) total += std::exp(logit);
  const auto top = top_logprobs(logits, 3, 3);
  REQUIRE(top.size() == 3);
  CHECK(top[0].id == 1);
  CHECK(top[1].id == 3);
  CHECK(top[2].id == 2);
  for (const auto& [id, logprob] : top)
    CHECK_THAT(logprob, WithinAbs(logits[static_cast<std::size_t>(id)] - std::log(total), 1e-6));
}

TEST_CASE("the chosen token comes last where it is not among the best", "[sampling]") {
  const std::vector<float> logits = {1.0f, 3.0f, 2.0f};
  const auto top = top_logprobs(logits, 1, 0);
  REQUIRE(top.size() == 2);
  CHECK(top[0].id == 1);
  CHECK(top[1].id == 0);
  CHECK(top_logprobs(logits, 0, 2).size() == 1);
  CHECK(top_logprobs(logits, 10, 2).size() == 3);
}

TEST_CASE("log-probabilities of given tokens have the bits of the best ones", "[sampling]") {
  const std::vector<float> logits = {1.0f, 3.0f, NAN, 3.0f, -5.0f};
  const auto top = top_logprobs(logits, 5);
  REQUIRE(top.size() == 5);
  for (const auto& [id, logprob] : top) CHECK(heed::sampling::logprobs_of(logits, std::vector{id, 0})[0] == logprob);
  CHECK(heed::sampling::logprobs_of(logits, {}).empty());
  heed::test::check_throws(heed::ErrorCode::invalid_argument, "is not in the vocabulary",
                           [&] { heed::sampling::logprobs_of(logits, std::vector{1, 5}); });
}

TEST_CASE("log-probabilities of extreme logits", "[sampling]") {
  const std::vector<float> wild = {1e30f, NAN, -kInfinity, 3e38f, kInfinity};
  const auto top = top_logprobs(wild, 5, 0);
  CHECK(top[0].id == 4);
  CHECK(top[0].logprob == 0.0f);
  CHECK(top[3].logprob == -kInfinity);
  CHECK(top[4].logprob == -kInfinity);

  const std::vector<float> nothing(4, -kInfinity);
  CHECK(top_logprobs(nothing, 1, 2)[1].logprob == -kInfinity);
}

TEST_CASE("log-probabilities of a large vocabulary add up to one", "[sampling]") {
  std::mt19937 random(5);
  std::vector<float> logits(100000);
  for (auto& logit : logits) logit = static_cast<float>(random() % 10000) * 1e-3f;
  double sum = 0;
  for (const auto& [id, logprob] : top_logprobs(logits, logits.size(), 0)) sum += std::exp(static_cast<double>(logprob));
  CHECK_THAT(sum, WithinAbs(1.0, 1e-5));
}

TEST_CASE("a chosen token outside the vocabulary is refused", "[sampling]") {
  const std::vector<float> logits(4);
  for (const int id : {-1, 4})
    heed::test::check_throws(heed::ErrorCode::invalid_argument, "is not in the vocabulary", [&] { top_logprobs(logits, 1, id); });
}
