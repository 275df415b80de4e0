// Edits of states, heads and attention against a pass in float64.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "golden/distance.hpp"
#include "golden/lab.hpp"

using namespace heed;
using runtime::Edit;
using runtime::TokenId;
using Kind = Edit::Kind;

namespace {

/// The state that an unmodified text has after a layer.
std::vector<float> state_of(engine::Engine& engine, const nlohmann::json& op) {
  const auto tokens = op["tokens"].get<std::vector<TokenId>>();
  auto run = engine.read();
  run.watch(runtime::state_requests(engine.model(), {{op["layer"]}, {op["from"]}}), tokens.size());
  run.forward(tokens, 0);
  return {run.watched().begin(), run.watched().end()};
}

/// The mean of a head's output over an unmodified text.
std::vector<float> mean_of_head(engine::Engine& engine, const nlohmann::json& op) {
  const auto tokens = op["tokens"].get<std::vector<TokenId>>();
  auto run = engine.read();
  run.watch(runtime::head_requests(engine.model(), op["layer"]), tokens.size());
  run.forward(tokens, 0);
  const auto shape = run.recorded()->shape(0);
  const std::size_t head = op["head"];
  std::vector<float> mean(shape[2]);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    double sum = 0;
    for (std::size_t t = 0; t < shape[0]; ++t) sum += static_cast<double>(run.watched()[(t * shape[1] + head) * shape[2] + i]);
    mean[i] = static_cast<float>(sum / static_cast<double>(shape[0]));
  }
  return mean;
}

Edit edit_of(engine::Engine& engine, const nlohmann::json& op) {
  const std::string name = op["op"];
  Edit edit{.layer = op["layer"]};
  if (op.contains("positions") && op["positions"] != "all") edit.positions = op["positions"].get<std::vector<std::uint32_t>>();
  if (op.contains("head") && op["head"] != "all") edit.head = op["head"];
  if (op.contains("vector")) edit.vector = op["vector"].get<std::vector<float>>();
  if (name == "add") edit.factor = op.value("scale", 1.0f);
  if (name == "replace" || name == "patch") edit.kind = Kind::replace;
  if (name == "patch") {
    edit.positions = {op["position"].get<std::uint32_t>()};
    edit.vector = state_of(engine, op);
  }
  if (name == "scale-head") {
    edit.kind = Kind::scale;
    edit.point = nn::Point::head;
    edit.factor = op["factor"];
  }
  if (name == "set-head" || name == "mean-head") {
    edit.kind = Kind::replace;
    edit.point = nn::Point::head;
  }
  if (name == "mean-head") edit.vector = mean_of_head(engine, op);
  if (name == "cut") {
    edit.kind = Kind::cut;
    edit.edges = op["edges"].get<std::vector<std::pair<std::uint32_t, std::uint32_t>>>();
  }
  return edit;
}

}  // namespace

TEST_CASE("interventions do what the references say", "[golden][shared][edits]") {
  for (const golden::LabCase& lab : golden::lab_cases("intervene")) {
    DYNAMIC_SECTION(lab.name) {
      const auto json = lab.json();
      engine::Engine engine(golden::lab_model(json));
      const auto tokens = json["tokens"].get<std::vector<TokenId>>();
      const std::size_t vocabulary = json["n_vocab"];
      const std::vector<float> all = test::read_floats(lab.file(".f32"));
      const double limit = std::max(2e-5, 2 * json["checks"]["plain_vs_llama"].get<double>());
      for (const auto& figures : json["cases"]) {
        INFO(figures["id"]);
        std::vector<Edit> edits;
        for (const auto& op : figures["plan"]["ops"]) edits.push_back(edit_of(engine, op));
        auto run = engine.read();
        run.change({.edits = engine.make_edits(std::move(edits))}, tokens);
        const auto logits = *run.forward(tokens, tokens.size());
        std::vector<float> got;
        for (const std::size_t position : figures["pos"].get<std::vector<std::size_t>>()) {
          const auto row = logits.subspan(position * vocabulary, vocabulary);
          got.insert(got.end(), row.begin(), row.end());
        }
        const auto expected = std::span(all).subspan(figures["row"].get<std::size_t>() * vocabulary, got.size());
        CHECK(golden::relative_distance(got, expected) <= limit);
      }
    }
  }
}

TEST_CASE("logits are attributed as the references do", "[golden][shared][attribution]") {
  for (const golden::LabCase& lab : golden::lab_cases("intervene")) {
    DYNAMIC_SECTION(lab.name) {
      const auto json = lab.json();
      engine::Engine engine(golden::lab_model(json));
      const auto tokens = json["tokens"].get<std::vector<TokenId>>();
      for (const auto& figures : json["attribution"]) {
        INFO("position " << figures["position"] << ", token " << figures["token"]);
        auto run = engine.read();
        run.watch(runtime::attribution_requests(engine.model(), figures["position"]), tokens.size());
        run.forward(tokens, 0);
        const runtime::Attribution got = run.attribute(figures["token"]);
        std::vector<double> parts = {got.embedding, got.constant, got.sum, got.logit}, expected;
        for (const char* name : {"embedding", "constant", "sum", "logit"}) expected.push_back(figures[name]);
        for (std::size_t i = 0; i < got.heads.size(); ++i) {
          parts.insert(parts.end(), got.heads[i].begin(), got.heads[i].end());
          parts.insert(parts.end(), {got.attention_bias[i], got.mlp[i]});
          for (const double part : figures["heads"][i]) expected.push_back(part);
          expected.insert(expected.end(), {figures["attention_bias"][i].get<double>(), figures["mlp"][i].get<double>()});
        }
        REQUIRE(parts.size() == expected.size());
        double largest = 0;
        for (const double part : expected) largest = std::max(largest, std::abs(part));
        const double tolerance = std::max(1e-4, 20 * json["checks"]["plain_vs_llama"].get<double>()) * largest;
        for (std::size_t i = 0; i < parts.size(); ++i) CHECK(std::abs(parts[i] - expected[i]) <= tolerance);
      }
    }
  }
}
