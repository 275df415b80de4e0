// The engine's readings of a text: the residual stream, the lens and scores.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

#include "engine/engine.hpp"
#include "engine/score.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/chain_model.hpp"
#include "unit/runtime/changes/random_adapter.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using Catch::Matchers::WithinAbs;
using engine::Engine;
using runtime::TokenId;
using test::check_throws;

TEST_CASE("the lens gives each layer's prediction", "[engine][states]") {
  Engine engine(test::load_bytes(test::chain_model({"a", "b", "c"})));
  auto run = engine.read();
  run.watch(runtime::state_requests(engine.model(), {{0}, {2}}), 3);
  const std::vector<TokenId> tokens = {1, 3, 4};
  const auto logits = run.forward(tokens, 1);
  REQUIRE(logits);
  const auto expected = sampling::top_logprobs(*logits, 2);
  const auto rows = run.lens(0, 1, {.top = 2, .watched = {5, 0}});
  REQUIRE(rows.size() == 1);
  REQUIRE(rows[0].top.size() == 2);
  CHECK(rows[0].top[0].id == 5);
  CHECK(rows[0].top[0].logprob == expected[0].logprob);
  CHECK(rows[0].top[1].id == expected[1].id);
  REQUIRE(rows[0].watched.size() == 2);
  CHECK(rows[0].watched[0] == expected[0].logprob);
  CHECK(rows[0].watched[1] < expected[0].logprob);
  const std::vector<float> normed = engine.final_norm(run.watched());
  REQUIRE(normed.size() == engine.model().info().width);
  CHECK_THAT(normed[4], WithinAbs(std::sqrt(static_cast<double>(normed.size())), 1e-3));  // a one-hot state at length sqrt(D)

  for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 0}, {1, 1}, {0, 2}, {std::size_t(-1), 2}})
    check_throws(ErrorCode::invalid_argument, "states: must be from 1 to 128 of the 1 that are watched",
                 [&] { run.lens(first, count, {}); });
  auto blind = engine.read();
  check_throws(ErrorCode::invalid_argument, "states: must be from 1 to 128 of the 0", [&] { blind.lens(0, 1, {}); });
  check_throws(ErrorCode::invalid_argument, "states: must be from 1 to", [&] { engine.final_norm({}); });
  check_throws(ErrorCode::invalid_argument, "token 99 is not in the vocabulary",
               [&] { run.lens(0, 1, {.top = 1, .watched = {99}}); });
}

TEST_CASE("the lens applies the adapters of each position, so that the last layer agrees with the model",
          "[engine][states][adapters]") {
  const auto tokens = test::some_tokens(12);
  for (const std::string architecture : {"llama", "gemma2", "phi2"}) {
    INFO(architecture);
    Engine engine(test::load_bytes(test::family_model(architecture)));
    const std::size_t vocabulary = engine.model().info().vocabulary;
    const auto layers = static_cast<std::int32_t>(engine.model().info().layers);
    const auto adapter = engine.read_adapter(test::adapter_file(architecture, test::random_factors(engine.model(), 3, 7), 3.0f));
    const runtime::Changes whole = {{{adapter, 0.5f}}}, part = {{{adapter, 0.5f, runtime::PositionRange{3, 6}}, {adapter, -1.0f}}};
    const std::vector<std::uint32_t> positions = {11, 4, 0, 5, 6, 2, 3};
    for (const runtime::Changes& changes : {runtime::Changes(), whole, part}) {
      auto run = engine.read();
      run.change(changes, tokens);
      run.watch(runtime::state_requests(engine.model(), {{0, layers - 1}, positions}), tokens.size());
      const auto logits = run.forward(tokens, tokens.size());
      REQUIRE(logits);
      const auto lens = run.lens(positions.size(), positions.size(), {.top = 3});
      const auto across = run.lens(positions.size() - 1, 3, {.top = 3});
      for (std::size_t i = 0; i < positions.size(); ++i) {
        const auto expected = sampling::top_logprobs(logits->subspan(positions[i] * vocabulary, vocabulary), 3);
        for (std::size_t k = 0; k < expected.size(); ++k) {
          CHECK(lens[i].top[k].id == expected[k].id);
          CHECK(lens[i].top[k].logprob == expected[k].logprob);
          if (i < 2) CHECK(across[i + 1].top[k].logprob == expected[k].logprob);
        }
      }
    }
  }
}

TEST_CASE("a score is the log-probability of each token, in any pieces and after a cached prefix", "[engine][score]") {
  Engine engine(test::load_bytes(test::family_model("llama")));
  const auto tokens = test::some_tokens(20);
  const std::size_t vocabulary = engine.model().info().vocabulary;
  const std::vector<float> logits = test::model_logits(engine.model(), tokens);
  std::vector<float> expected;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const auto row = std::span(logits).subspan(i * vocabulary, vocabulary);
    double total = 0;
    for (const float logit : row) total += std::exp(static_cast<double>(logit));
    expected.push_back(static_cast<float>(row[static_cast<std::size_t>(tokens[i + 1])] - std::log(total)));
  }
  std::vector<float> whole;
  {
    auto run = engine.read();
    whole = *run.score(tokens);
  }
  REQUIRE(whole.size() == 19);
  for (std::size_t i = 0; i < whole.size(); ++i) CHECK_THAT(whole[i], WithinAbs(expected[i], 1e-5));

  auto run = engine.read();
  const std::size_t known = run.reuse(tokens, 11);
  CHECK(known == 11);
  std::vector<float> pieces;
  for (const std::size_t count : {3u, 2u, 6u}) {
    const auto next = *run.score(std::span(tokens).subspan(known + pieces.size(), count));
    pieces.insert(pieces.end(), next.begin(), next.end());
  }
  CHECK(pieces == std::vector<float>(whole.begin() + 11, whole.end()));

  const engine::Score score = engine::score_of(whole);
  double sum = 0;
  for (const float logprob : whole) sum += logprob;
  CHECK_THAT(score.sum, WithinAbs(sum, 1e-9));
  CHECK_THAT(*score.mean, WithinAbs(sum / 19, 1e-9));
  CHECK_THAT(*score.perplexity, WithinAbs(std::exp(-sum / 19), 1e-6 * std::exp(-sum / 19)));
  CHECK(engine::score_of({}).sum == 0);
  CHECK_FALSE(engine::score_of({}).mean.has_value());

  auto wrong = engine.read();
  check_throws(ErrorCode::invalid_argument, "tokens: must be at least two", [&] { wrong.score(std::span(tokens).first(1)); });
  check_throws(ErrorCode::invalid_argument, "tokens: token 100000 is outside the vocabulary",
               [&] { wrong.score(std::vector<TokenId>{3, 100000}); });
  check_throws(ErrorCode::invalid_argument, "tokens: token -7 is not in the vocabulary, nor a row of an image",
               [&] { wrong.score(std::vector<TokenId>{3, -7}); });
}
