// Log-probabilities of texts, and continuations by how probable they are, against float64.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "engine/score.hpp"
#include "golden/lab.hpp"

using namespace heed;

namespace {

std::vector<float> logprobs_of(engine::Engine& engine, const std::vector<runtime::TokenId>& tokens) {
  auto run = engine.read();
  return *run.score(tokens);
}

}  // namespace

TEST_CASE("scores of texts are those of the references", "[golden][shared][score]") {
  for (const golden::LabCase& lab : golden::lab_cases("score")) {
    DYNAMIC_SECTION(lab.name) {
      const auto json = lab.json();
      engine::Engine engine(golden::lab_model(json));
      for (const auto& text : json["texts"]) {
        const auto got = logprobs_of(engine, text["tokens"]);
        INFO(text["tokens"].size() << " tokens");
        REQUIRE(got.size() + 1 == text["logprob"].size());
        double worst = 0;
        for (std::size_t i = 0; i < got.size(); ++i)
          worst = std::max(worst, std::abs(got[i] - text["logprob"][i + 1].get<double>()));
        CHECK(worst <= std::max(2e-4, 4 * text["llama_max"].get<double>()));
        CHECK(std::abs(engine::score_of(got).sum - text["sum"].get<double>()) <= worst * static_cast<double>(got.size()) + 1e-3);
      }
    }
  }
}

TEST_CASE("continuations are in the references' order", "[golden][shared][score]") {
  for (const golden::LabCase& lab : golden::lab_cases("score")) {
    DYNAMIC_SECTION(lab.name) {
      const auto json = lab.json();
      engine::Engine engine(golden::lab_model(json));
      const std::size_t context = json["context"].size();
      std::vector<engine::Score> scores;
      for (const auto& continuation : json["continuations"]) {
        auto tokens = json["context"].get<std::vector<runtime::TokenId>>();
        for (const auto& id : continuation["tokens"]) tokens.push_back(id);
        scores.push_back(engine::score_of(std::span<const float>(logprobs_of(engine, tokens)).subspan(context - 1)));
      }
      std::vector<std::size_t> order(scores.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return scores[i].sum; });
      CHECK(order == json["order_by_sum"].get<std::vector<std::size_t>>());
      std::ranges::sort(order);
      std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return *scores[i].mean; });
      CHECK(order == json["order_by_mean"].get<std::vector<std::size_t>>());
    }
  }
}
