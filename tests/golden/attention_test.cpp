// What the oracle's decoders attend to: whole softmax rows, within the window, of the past alone.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <variant>

#include "golden/models.hpp"
#include "nn/spec.hpp"
#include "runtime/inspect.hpp"
#include "support/reader.hpp"

using namespace heed;

namespace {

/// How a layer attends: nothing for one that does not.
struct Rule {
  bool attends = false, sinks = false;
  std::size_t window = 0;
};

Rule rule_of(const nn::LayerSpec& layer) {
  for (const nn::SublayerSpec& sublayer : layer.sublayers) {
    if (const auto* s = std::get_if<nn::AttentionSpec>(&sublayer.block)) return {true, s->sinks, s->window};
    if (std::holds_alternative<nn::LatentAttentionSpec>(sublayer.block)) return {true, false, 0};
  }
  return {};
}

/// What is wrong with a row, or nothing.
std::string fault(std::span<const float> row, std::size_t query, const Rule& rule) {
  double sum = 0;
  for (std::size_t key = 0; key < row.size(); ++key) {
    if (!(row[key] >= 0 && row[key] <= 1)) return "key " + std::to_string(key) + " is no weight";
    const bool seen = rule.attends && key <= query && (rule.window == 0 || key + rule.window > query);
    if (!seen && row[key] != 0) return "key " + std::to_string(key) + " must not be seen";
    sum += row[key];
  }
  const bool whole = std::abs(sum - (rule.attends ? 1 : 0)) < 1e-5;
  return whole || (rule.sinks && sum > 0 && sum < 1 + 1e-5) ? "" : "sums to " + std::to_string(sum);
}

}  // namespace

TEST_CASE("rows of attention are whole, and see what they may", "[golden][shared]") {
  for (const golden::Case& model : golden::cases_of("causal")) {
    DYNAMIC_SECTION(model.name) {
      const auto tokens = golden::reference(model)["tokens"].get<std::vector<runtime::TokenId>>();
      const auto loaded = golden::load(model);
      test::Reader reader(*loaded);
      runtime::AttentionProbe probe(reader.model(), {}, {});
      reader.forward(tokens, {}, &probe);
      const auto& layers = loaded->spec().decoder->stack.layers;
      const std::size_t n = tokens.size(), heads = probe.heads().size();
      REQUIRE(probe.layers().size() == layers.size());
      REQUIRE(probe.weights().size() == layers.size() * heads * n * n);
      for (std::size_t i = 0; i < layers.size() * heads * n; ++i) {
        const std::size_t layer = i / (heads * n), query = i % n;
        const std::string wrong = fault(probe.weights().subspan(i * n, n), query, rule_of(layers[layer]));
        INFO("layer " << layer << ", head " << i / n % heads << ", query " << query);
        CHECK(wrong == "");
      }
    }
  }
}
