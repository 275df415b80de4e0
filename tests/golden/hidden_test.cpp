// The residual stream and the logit lens against llama.cpp and passes in float64.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "golden/distance.hpp"
#include "golden/lab.hpp"

using namespace heed;

namespace {

/// The allowed relative error of each entry: llama.cpp's own, where it rounds.
double limit(const nlohmann::json& json, std::size_t entry) {
  const auto& rel = json["llama_rel"][entry];
  return std::max(2e-5, rel.is_null() ? 0.0 : 1.2 * rel.get<double>());
}

/// A case's model, and its pass with all layers watched at the positions that the case lists under `positions`.
struct WatchedPass {
  engine::Engine engine;
  engine::DecoderRun run;

  WatchedPass(const nlohmann::json& json, const char* positions) : engine(golden::lab_model(json)), run(engine.read()) {
    const auto tokens = json["tokens"].get<std::vector<runtime::TokenId>>();
    run.watch(runtime::state_requests(engine.model(), {{}, json[positions].get<std::vector<std::uint32_t>>()}), tokens.size());
    run.forward(tokens, 0);
  }
};

}  // namespace

TEST_CASE("the residual stream is that of the references", "[golden][shared][hidden]") {
  for (const golden::LabCase& lab : golden::lab_cases("hidden")) {
    DYNAMIC_SECTION(lab.name) {
      const auto json = lab.json();
      WatchedPass pass(json, "positions");
      auto& [engine, run] = pass;
      const std::size_t entry = json["positions"].size() * engine.model().info().width, entries = json["entries"].size();
      std::vector<float> got(run.watched().begin(), run.watched().end());
      const std::vector<float> normed = engine.final_norm(run.watched().last(entry));
      got.insert(got.end(), normed.begin(), normed.end());
      const std::vector<float> expected = lab.reference(json);
      REQUIRE(got.size() == expected.size());
      REQUIRE(got.size() == entries * entry);
      for (std::size_t i = 0; i < entries; ++i) {
        INFO(json["entries"][i]);
        CHECK(golden::relative_distance(std::span(got).subspan(i * entry, entry), std::span(expected).subspan(i * entry, entry)) <=
              limit(json, i));
      }
    }
  }
}

TEST_CASE("the lens is that of the references", "[golden][shared][hidden]") {
  for (const golden::LabCase& lab : golden::lab_cases("hidden")) {
    DYNAMIC_SECTION(lab.name) {
      const auto json = lab.json();
      WatchedPass pass(json, "lens_positions");
      auto& [engine, run] = pass;
      double rel = 0;
      for (const auto& entry : json["llama_rel"]) rel = std::max(rel, entry.is_null() ? 0.0 : entry.get<double>());
      const double tolerance = std::max(6e-4, 12 * rel);
      const std::size_t rows = json["lens_positions"].size(), width = engine.model().info().width;
      std::size_t first = 0;
      for (const auto& layer : json["lens"]) {
        INFO("layer " << layer["layer"]);
        const auto lens = run.lens(first, rows, {.top = 5, .watched = json["lens_watch"]});
        first += rows;
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t w = 0; w < lens[i].watched.size(); ++w)
            CHECK(std::abs(lens[i].watched[w] - layer["logprob"][i][w].get<double>()) <= tolerance);
          if (layer["gap"][i].get<double>() <= 2 * tolerance) continue;  // too near to tell which is first
          for (std::size_t k = 0; k < 5; ++k) {
            CHECK(lens[i].top[k].id == layer["top"][i][k].get<int>());
            CHECK(std::abs(lens[i].top[k].logprob - layer["top_logprob"][i][k].get<double>()) <= tolerance);
          }
        }
      }
      CHECK(first * width == run.watched().size());
    }
  }
}
