// Adapters and control vectors against llama.cpp and passes in float64; and the files that a loader should refuse.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "golden/distance.hpp"
#include "golden/lab.hpp"

using namespace heed;
using runtime::Changes;
using runtime::TokenId;

namespace {

std::vector<std::byte> lab_file(const std::string& part, const std::string& name) {
  return test::read_bytes(test::shared_file("lab/" + part + "/" + name));
}

std::vector<float> logits_of(engine::Engine& engine, const Changes& changes, const std::vector<TokenId>& tokens) {
  auto run = engine.read();
  run.change(changes, tokens);
  const auto logits = *run.forward(tokens, tokens.size());
  return {logits.begin(), logits.end()};
}

/// The rows stored of a case, and its greedy continuation, where the references are sure of it.
void check(engine::Engine& engine, const golden::LabCase& lab, const nlohmann::json& json, const nlohmann::json& figures,
           const Changes& changes) {
  const auto greedy = figures["greedy"].get<std::vector<TokenId>>();
  auto tokens = (figures.contains("tokens") ? figures : json)["tokens"].get<std::vector<TokenId>>();
  const std::size_t length = tokens.size(), vocabulary = json["n_vocab"];
  tokens.insert(tokens.end(), greedy.begin(), greedy.end() - 1);
  const std::vector<float> got = logits_of(engine, changes, tokens), all = lab.reference(json);
  const auto expected = std::span(all).subspan(figures["row"].get<std::size_t>() * vocabulary,
                                               figures["rows"].get<std::size_t>() * vocabulary);
  const double limit = std::max(2e-5, 1.2 * figures["llama_rel"].get<double>());
  std::vector<float> stored;
  std::vector<double> of_rows;
  for (const std::size_t position : figures["pos"].get<std::vector<std::size_t>>()) {
    const auto row = std::span(got).subspan(position * vocabulary, vocabulary);
    of_rows.push_back(golden::relative_distance(row, expected.subspan(stored.size(), vocabulary)));
    stored.insert(stored.end(), row.begin(), row.end());
  }
  const double rel = golden::relative_distance(stored, expected);
  std::ranges::nth_element(of_rows, of_rows.begin() + static_cast<std::ptrdiff_t>(of_rows.size() / 2));
  const bool may_flip = json["quantized"].get<bool>() && lab.name.find("moe") != std::string::npos;  // an expert, at a near tie
  CHECK((rel <= limit || (may_flip && of_rows[of_rows.size() / 2] <= limit)));
  for (const std::size_t i : figures["greedy_sure"].get<std::vector<std::size_t>>()) {
    const auto row = got.begin() + static_cast<std::ptrdiff_t>((length - 1 + i) * vocabulary);
    CHECK(std::max_element(row, row + static_cast<std::ptrdiff_t>(vocabulary)) - row == greedy[i]);
  }
}

}  // namespace

TEST_CASE("adapters do what the references say", "[golden][shared][adapters]") {
  for (const golden::LabCase& lab : golden::lab_cases("lora")) {
    DYNAMIC_SECTION(lab.name) {
      const auto json = lab.json();
      engine::Engine engine(golden::lab_model(json));
      for (const auto& figures : json["cases"]) {
        INFO(figures["id"]);
        Changes changes;
        for (const auto& use : figures["loras"]) {
          const runtime::PositionRange range{use[2], use[3].is_null() ? runtime::kEverywhere : use[3].get<std::size_t>()};
          changes.adapters.push_back({engine.read_adapter(lab_file("lora", use[0])), use[1], range});
        }
        check(engine, lab, json, figures, changes);
      }
    }
  }
}

TEST_CASE("activated adapters do what the references say", "[golden][shared][adapters]") {
  for (const golden::LabCase& lab : golden::lab_cases("alora")) {
    DYNAMIC_SECTION(lab.name) {
      const auto json = lab.json();
      engine::Engine engine(golden::lab_model(json));
      for (const auto& figures : json["cases"]) {
        if (figures.value("server", false)) continue;  // which begins a token too early
        INFO(figures["id"]);
        check(engine, lab, json, figures,
              {.adapters = {{engine.read_adapter(lab_file("alora", json["adapter"])), figures["scale"]}}});
      }
    }
  }
}

TEST_CASE("control vectors do what the references say", "[golden][shared][edits]") {
  for (const golden::LabCase& lab : golden::lab_cases("cvec")) {
    DYNAMIC_SECTION(lab.name) {
      const auto json = lab.json();
      engine::Engine engine(golden::lab_model(json));
      for (const auto& figures : json["cases"]) {
        INFO(figures["id"]);
        std::optional<std::pair<std::size_t, std::size_t>> layers;
        if (!figures["range"].is_null()) layers = {figures["range"][0], figures["range"][1]};
        std::vector<runtime::Edit> edits;
        for (const auto& use : figures["files"])
          for (auto& edit : engine.read_control_vector(lab_file("cvec", use[0]), use[1], layers)) edits.push_back(std::move(edit));
        Changes changes{.edits = engine.make_edits(std::move(edits))};
        for (const auto& use : figures.value("loras", nlohmann::json::array()))
          changes.adapters.push_back({engine.read_adapter(lab_file("cvec", use[0])), use[1]});
        check(engine, lab, json, figures, changes);
      }
    }
  }
}

TEST_CASE("adapters and control vectors that should be refused are", "[golden][shared][adapters]") {
  for (const std::string part : {"bad", "cvec"}) {
    const auto json = test::read_json(test::shared_file("lab/" + part + "/bad.json"));
    for (const auto& figures : json["cases"]) {
      const std::string name = figures["file"];
      DYNAMIC_SECTION(name) {
        engine::Engine engine(golden::lab_model(figures));
        const auto file = lab_file(part, name);
        const auto tokens = figures["tokens"].get<std::vector<TokenId>>();
        std::string refused;
        Changes changes;
        try {
          if (part == "bad") changes.adapters.push_back({engine.read_adapter(file)});
          else changes.edits = engine.make_edits(engine.read_control_vector(file, 1));
        } catch (const Error& error) {
          refused = error.message();
          CHECK_FALSE(refused.empty());
        }
        INFO(refused);
        if (figures["expect"] == "refuse") CHECK_FALSE(refused.empty());
        if (figures["expect"] == "accept") CHECK(refused.empty());
        const std::vector<float> logits = logits_of(engine, changes, tokens);  // the model is usable in any case
        CHECK(std::ranges::all_of(logits, [](float x) { return std::isfinite(x); }));
      }
    }
  }
}
