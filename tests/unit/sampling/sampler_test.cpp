#include "sampling/sampler.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "support/errors.hpp"
#include "support/infinity.hpp"

using heed::ErrorCode;
using heed::sampling::Sampler;
using heed::sampling::SamplerOptions;
using heed::sampling::TokenId;
using heed::test::kInfinity;

namespace {

SamplerOptions plain() {
  SamplerOptions options;
  options.temperature = 1;
  options.top_k = 0;
  options.top_p = 1;
  options.min_p = 0;
  return options;
}

SamplerOptions sampling_greedy() {
  auto options = plain();
  options.temperature = 0;
  return options;
}

// The filters, written down the plain way: sort everything, normalize, cut; then the softmax at the
// temperature.
std::map<TokenId, double> expected_distribution(const std::vector<float>& logits, const SamplerOptions& options) {
  std::vector<TokenId> ids(logits.size());
  std::iota(ids.begin(), ids.end(), 0);
  const auto logit = [&](TokenId id) { return static_cast<double>(logits[static_cast<std::size_t>(id)]); };
  std::ranges::stable_sort(ids, std::ranges::greater{}, logit);
  if (options.top_k > 0 && options.top_k < ids.size()) ids.resize(options.top_k);

  double total = 0;
  for (const TokenId id : ids) total += std::exp(logit(id));
  double mass = 0;
  std::vector<TokenId> kept;
  for (const TokenId id : ids) {
    if (mass >= options.top_p) break;
    const double probability = std::exp(logit(id)) / total;
    if (probability < options.min_p * std::exp(logit(ids[0])) / total) break;
    kept.push_back(id);
    mass += probability;
  }

  double sum = 0;
  std::map<TokenId, double> distribution;
  for (const TokenId id : kept) sum += distribution[id] = std::exp(logit(id) / options.temperature);
  for (auto& [id, probability] : distribution) probability /= sum;
  return distribution;
}

// Draws often, and compares frequencies with probabilities at five standard deviations.
void check_distribution(const std::vector<float>& logits, SamplerOptions options) {
  constexpr int kDraws = 20000;
  options.seed = 11;
  Sampler sampler(options, logits.size());
  std::map<TokenId, int> drawn;
  for (int i = 0; i < kDraws; ++i) ++drawn[sampler.sample(logits)];
  const auto expected = expected_distribution(logits, options);
  for (const auto& [id, count] : drawn) {
    INFO("token " << id);
    CHECK(expected.contains(id));
  }
  for (const auto& [id, probability] : expected) {
    INFO("token " << id << ", probability " << probability);
    const double deviation = std::sqrt(kDraws * probability * (1 - probability));
    CHECK(std::abs(drawn[id] - kDraws * probability) <= 5 * deviation + 2);  // 2: for the rarest
  }
}

std::vector<float> random_logits(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> logits(size);
  for (auto& logit : logits) logit = static_cast<float>(random() % 6000) * 1e-3f - 3.0f;
  return logits;
}

void check_refused(const char* message, void (*change)(SamplerOptions&)) {
  SamplerOptions options;
  change(options);
  heed::test::check_throws(ErrorCode::invalid_argument, message, [&] { Sampler(options, 4); });
}

}  // namespace

TEST_CASE("greedy takes the largest logit, the lowest id among equals", "[sampling]") {
  Sampler sampler(sampling_greedy(), 5);
  CHECK(sampler.sample(std::vector<float>{1, 3, 2, 3, -1}) == 1);
  CHECK(sampler.sample(std::vector<float>{-3, -2, -2, -9, -9}) == 1);
  CHECK(sampler.sample(std::vector<float>{NAN, 1, NAN, 2, NAN}) == 3);
  CHECK(sampler.sample(std::vector<float>{0, kInfinity, 3e38f, kInfinity, 0}) == 1);
}

TEST_CASE("where nothing is possible, the lowest id that is not banned is taken", "[sampling]") {
  const std::vector<float> nothing = {-kInfinity, NAN, -kInfinity};
  CHECK(Sampler(sampling_greedy(), 3).sample(nothing) == 0);
  CHECK(Sampler(plain(), 3).sample(nothing) == 0);
  auto options = plain();
  options.logit_bias = {{0, -kInfinity}};
  CHECK(Sampler(options, 3).sample(nothing) == 1);
}

TEST_CASE("draws follow the distribution that the filters leave", "[sampling]") {
  const auto logits = random_logits(300, 1);
  SECTION("none") { check_distribution(logits, plain()); }
  SECTION("temperature") {
    for (const float temperature : {0.3f, 2.0f}) {
      auto options = plain();
      options.temperature = temperature;
      check_distribution(logits, options);
    }
  }
  SECTION("top-k") {
    for (const std::uint32_t top_k : {1, 5, 299, 300, 1000}) {
      auto options = plain();
      options.top_k = top_k;
      check_distribution(logits, options);
    }
  }
  SECTION("top-p") {
    for (const float top_p : {0.001f, 0.3f, 0.95f}) {
      auto options = plain();
      options.top_p = top_p;
      check_distribution(logits, options);
    }
  }
  SECTION("min-p") {
    for (const float min_p : {0.02f, 0.5f, 0.99f}) {
      auto options = plain();
      options.min_p = min_p;
      check_distribution(logits, options);
    }
  }
  SECTION("all together") {
    auto options = plain();
    options.temperature = 0.7f;
    options.top_k = 50;
    options.top_p = 0.8f;
    options.min_p = 0.1f;
    check_distribution(logits, options);
    options.top_k = 0;
    check_distribution(logits, options);
    options.min_p = 0;
    check_distribution(logits, options);
  }
}

TEST_CASE("top-p over a flat large vocabulary keeps as many tokens as it has to", "[sampling]") {
  const std::vector<float> flat(50000, 1.0f);
  auto options = plain();
  options.top_p = 0.5f;
  Sampler sampler(options, flat.size());
  TokenId highest = 0;
  for (int i = 0; i < 50; ++i) highest = std::max(highest, sampler.sample(flat));
  CHECK(highest < 25000);  // equal scores rank by id
  CHECK(highest > 20000);
}

TEST_CASE("extreme temperatures draw the best, or anything", "[sampling]") {
  const std::vector<float> logits = {1.0f, 1.0001f, -kInfinity, 0.5f};
  auto options = plain();
  options.temperature = std::numeric_limits<float>::denorm_min();
  Sampler cold(options, 4);
  for (int i = 0; i < 20; ++i) CHECK(cold.sample(logits) == 1);
  options.temperature = std::numeric_limits<float>::max();
  Sampler hot(options, 4);
  std::map<TokenId, int> drawn;
  for (int i = 0; i < 300; ++i) ++drawn[hot.sample(logits)];
  CHECK(drawn.size() == 3);
  CHECK_FALSE(drawn.contains(2));
}

TEST_CASE("the same seed gives the same tokens on every target", "[sampling]") {
  const auto logits = random_logits(1000, 2);
  SamplerOptions options;
  options.temperature = 1.5f;
  options.seed = 42;
  Sampler sampler(options, logits.size());
  std::vector<TokenId> drawn(12);
  for (auto& id : drawn) id = sampler.sample(logits);
  CHECK(drawn == std::vector<TokenId>{344, 963, 364, 993, 439, 799, 485, 791, 799, 101, 364, 832});
  options.seed = 43;
  Sampler other(options, logits.size());
  std::vector<TokenId> differently(12);
  for (auto& id : differently) id = other.sample(logits);
  CHECK(drawn != differently);
}

TEST_CASE("penalties lower the scores of tokens in the window", "[sampling]") {
  const std::vector<float> logits = {4.0f, 3.0f, -1.0f, -1.5f};
  auto options = sampling_greedy();
  SECTION("repetition divides positive logits and multiplies negative ones") {
    options.repetition_penalty = 2.0f;
    Sampler sampler(options, 4);
    sampler.accept(0);
    sampler.accept(0);
    CHECK(sampler.sample(logits) == 1);  // 4 / 2 < 3, however often it occurred
    sampler.accept(1);
    CHECK(sampler.sample(logits) == 0);  // 2 > 1.5
    options.logit_bias = {{0, -kInfinity}, {1, -kInfinity}};
    Sampler negative(options, 4);
    negative.accept(2);
    CHECK(negative.sample(logits) == 3);  // -1 * 2 < -1.5
  }
  SECTION("frequency counts occurrences") {
    options.frequency_penalty = 0.6f;
    Sampler sampler(options, 4);
    sampler.accept(0);
    CHECK(sampler.sample(logits) == 0);
    sampler.accept(0);
    CHECK(sampler.sample(logits) == 1);
  }
  SECTION("presence does not") {
    options.presence_penalty = 0.9f;
    Sampler sampler(options, 4);
    for (int i = 0; i < 5; ++i) sampler.accept(0);
    CHECK(sampler.sample(logits) == 0);
    options.presence_penalty = 1.1f;
    Sampler stronger(options, 4);
    stronger.accept(0);
    CHECK(stronger.sample(logits) == 1);
  }
}

TEST_CASE("the penalty window forgets", "[sampling]") {
  const std::vector<float> logits = {4.0f, 3.0f, 0.0f};
  auto options = sampling_greedy();
  options.presence_penalty = 2.0f;
  options.penalty_window = 3;
  Sampler sampler(options, 3);
  sampler.accept(0);
  sampler.accept(2);
  sampler.accept(2);
  CHECK(sampler.sample(logits) == 1);
  sampler.accept(2);
  CHECK(sampler.sample(logits) == 0);
  options.penalty_window = 0;
  Sampler without(options, 3);
  without.accept(0);
  CHECK(without.sample(logits) == 0);
}

TEST_CASE("a logit bias is added before everything else", "[sampling]") {
  const std::vector<float> logits = {4.0f, 3.0f, 0.0f};
  auto options = sampling_greedy();
  options.logit_bias = {{2, 5.0f}};
  CHECK(Sampler(options, 3).sample(logits) == 2);
  options.logit_bias = {{2, 2.0f}, {2, 2.5f}};
  CHECK(Sampler(options, 3).sample(logits) == 2);
  options.logit_bias = {{0, -kInfinity}};
  CHECK(Sampler(options, 3).sample(logits) == 1);
}

TEST_CASE("options out of range are refused by name", "[sampling]") {
  check_refused("temperature: must be", [](SamplerOptions& o) { o.temperature = -0.1f; });
  check_refused("temperature: must be", [](SamplerOptions& o) { o.temperature = NAN; });
  check_refused("temperature: must be", [](SamplerOptions& o) { o.temperature = kInfinity; });
  check_refused("top_p: must be", [](SamplerOptions& o) { o.top_p = 0; });
  check_refused("top_p: must be", [](SamplerOptions& o) { o.top_p = 1.01f; });
  check_refused("top_p: must be", [](SamplerOptions& o) { o.top_p = NAN; });
  check_refused("min_p: must be", [](SamplerOptions& o) { o.min_p = -0.1f; });
  check_refused("min_p: must be", [](SamplerOptions& o) { o.min_p = 1; });
  check_refused("repetition_penalty: must be", [](SamplerOptions& o) { o.repetition_penalty = 0; });
  check_refused("frequency_penalty: must be", [](SamplerOptions& o) { o.frequency_penalty = NAN; });
  check_refused("presence_penalty: must be", [](SamplerOptions& o) { o.presence_penalty = kInfinity; });
  check_refused("logit_bias: token 4", [](SamplerOptions& o) { o.logit_bias = {{4, 1.0f}}; });
  check_refused("logit_bias: token -1", [](SamplerOptions& o) { o.logit_bias = {{-1, 1.0f}}; });
  check_refused("logit_bias: must be", [](SamplerOptions& o) { o.logit_bias = {{1, kInfinity}}; });
  check_refused("logit_bias: must be", [](SamplerOptions& o) { o.logit_bias = {{1, NAN}}; });
  check_refused("logit_bias: must be such that at least one token is left",
                [](SamplerOptions& o) { o.logit_bias = {{0, -kInfinity}, {1, -kInfinity}, {2, -kInfinity}, {3, -kInfinity}}; });
}

TEST_CASE("tokens and logits that do not fit the vocabulary are refused", "[sampling]") {
  Sampler sampler(plain(), 4);
  constexpr auto invalid = ErrorCode::invalid_argument;
  heed::test::check_throws(invalid, "token 4 is not", [&] { sampler.accept(4); });
  heed::test::check_throws(invalid, "token -1 is not", [&] { sampler.accept(-1); });
  heed::test::check_throws(invalid, "there are 3 logits for 4 tokens", [&] { sampler.sample(std::vector<float>(3)); });
}

TEST_CASE("a mask and bans leave the same tokens, from the same draws", "[sampling]") {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, 3);
  for (const std::size_t vocabulary : {1u, 63u, 64u, 65u, 100u, 256u}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      std::vector<float> logits(vocabulary);
      for (float& logit : logits) logit = normal(random);
      std::vector<std::uint64_t> mask((vocabulary + 63) / 64);
      auto banning = seed % 3 == 0 ? sampling_greedy() : seed % 3 == 1 ? plain() : SamplerOptions();
      banning.seed = seed;
      const auto masking = banning;
      const std::size_t sure = random() % vocabulary;
      for (std::size_t id = 0; id < vocabulary; ++id) {
        if (id == sure || random() % 4 == 0) mask[id / 64] |= std::uint64_t{1} << id % 64;
        else banning.logit_bias.emplace_back(static_cast<TokenId>(id), -kInfinity);
      }
      Sampler banned(banning, vocabulary), masked(masking, vocabulary);
      for (int i = 0; i < 5; ++i) CHECK(masked.sample(logits, mask) == banned.sample(logits));
    }
  }
}

TEST_CASE("a mask counts for more than biases and impossible logits", "[sampling]") {
  auto options = plain();
  options.logit_bias = {{2, -kInfinity}, {3, -kInfinity}};
  Sampler sampler(options, 5);
  const std::vector<std::uint64_t> two_and_three = {0b01100}, three = {0b01000};
  CHECK(sampler.sample(std::vector<float>{9, 9, 1, 2, 9}, two_and_three) == 2);
  CHECK(sampler.sample(std::vector<float>{9, 9, 1, 2, 9}, three) == 3);
  CHECK(sampler.sample(std::vector<float>(5, -kInfinity), three) == 3);
}

TEST_CASE("a mask is as long as the vocabulary and allows something", "[sampling]") {
  Sampler sampler(plain(), 80);
  const std::vector<float> logits(80);
  const std::vector<std::uint64_t> shorter(1, 1), longer(3, 1), none(2);
  for (const auto& mask : {shorter, longer, none})
    heed::test::check_throws(ErrorCode::invalid_argument, "constraint", [&] { (void)sampler.sample(logits, mask); });
}
