// The attention of the oracle's decoders: complete softmax rows, within the window, over past positions only.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <variant>

#include "golden/models.hpp"
#include "nn/decoder.hpp"
#include "nn/spec.hpp"
#include "support/reader.hpp"
#include "support/recorders.hpp"

using namespace heed;

namespace {

/// How a layer attends: nothing for one that does not.
struct Rule {
  bool attends = false, sinks = false;
  std::size_t window = 0;
};

/// Of a head; layers may have fewer heads than others.
Rule rule_of(const nn::LayerSpec& layer, std::size_t head) {
  for (const nn::SublayerSpec& sublayer : layer.sublayers) {
    if (const auto* s = std::get_if<nn::AttentionSpec>(&sublayer.block))
      return head < s->heads ? Rule{true, s->sinks, s->window} : Rule{};
    if (std::holds_alternative<nn::LatentAttentionSpec>(sublayer.block)) return {true, false, 0};
  }
  return {};
}

/// A description of a row's fault, or nothing.
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

/// The weights that the parts of a query give, in double.
std::vector<double> weights_of(const test::AttentionParts& parts) {
  const std::size_t dim = parts.query.size();
  std::vector<double> weights;
  double sum = parts.sink ? std::exp(static_cast<double>(*parts.sink)) : 0;
  for (std::size_t key = 0; key < parts.end - parts.begin; ++key) {
    double dot = 0;
    for (std::size_t i = 0; i < dim; ++i)
      dot += static_cast<double>(parts.query[i]) * static_cast<double>(parts.keys[key * dim + i]);
    const double cap = static_cast<double>(parts.softcap), scaled = static_cast<double>(parts.scale) * dot;
    const double score = (cap != 0 ? cap * std::tanh(scaled / cap) : scaled) +
                         (parts.bias.empty() ? 0.0 : static_cast<double>(parts.bias[key]));
    weights.push_back(std::exp(score));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// The values of a head, keys x dim, in double: the solution of weights x values = outputs, from the first row on.
std::vector<double> solved_values(std::span<const float> weights, std::span<const float> outputs, std::size_t stride,
                                  std::size_t dim, std::size_t count, std::size_t keys) {
  std::vector<double> values(count * dim);
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t i = 0; i < dim; ++i) {
      double rest = static_cast<double>(outputs[row * stride + i]);
      for (std::size_t key = 0; key < row; ++key) rest -= static_cast<double>(weights[row * keys + key]) * values[key * dim + i];
      values[row * dim + i] = rest / static_cast<double>(weights[row * keys + row]);
    }
  return values;
}

const nn::Linear* output_of(const nn::Layer& layer) {
  for (const nn::Sublayer& sublayer : layer.sublayers())
    if (const nn::Linear* linear = sublayer.block().heads_output()) return linear;
  return nullptr;
}

}  // namespace

TEST_CASE("rows of attention sum to one and respect the masks", "[golden][shared]") {
  for (const golden::Case& model : golden::cases_of("causal")) {
    DYNAMIC_SECTION(model.name) {
      const auto tokens = golden::reference(model)["tokens"].get<std::vector<runtime::TokenId>>();
      const auto loaded = golden::load(model);
      test::Reader reader(*loaded);
      test::AttentionProbe probe(reader.model(), {}, {});
      reader.forward(tokens, {}, &probe);
      const auto& layers = loaded->spec().decoder->stack.layers;
      const std::size_t n = tokens.size(), heads = probe.heads().size();
      REQUIRE(probe.layers().size() == layers.size());
      REQUIRE(probe.weights().size() == layers.size() * heads * n * n);
      for (std::size_t i = 0; i < layers.size() * heads * n; ++i) {
        const std::size_t layer = i / (heads * n), query = i % n;
        const std::string wrong = fault(probe.weights().subspan(i * n, n), query, rule_of(layers[layer], i / n % heads));
        INFO("layer " << layer << ", head " << i / n % heads << ", query " << query);
        CHECK(wrong == "");
      }
    }
  }
}

TEST_CASE("softmax of the parts of a weight is that weight, in every family", "[golden][shared]") {
  for (const golden::Case& model : golden::cases_of("causal")) {
    DYNAMIC_SECTION(model.name) {
      const auto tokens = golden::reference(model)["tokens"].get<std::vector<runtime::TokenId>>();
      const auto loaded = golden::load(model);
      test::Reader reader(*loaded);
      test::AttentionProbe whole(reader.model(), {}, {});
      reader.forward(tokens, {}, &whole);
      const std::size_t n = tokens.size(), heads = whole.heads().size();
      for (std::size_t layer = 0; heads > 0 && layer < whole.layers().size(); ++layer) {
        const std::size_t head = layer % heads, query = layer % 2 == 0 ? n - 1 : n / 2;
        INFO("layer " << layer << ", head " << head << ", query " << query);
        test::AttentionPartsProbe probe(reader.model(), static_cast<std::uint32_t>(layer), static_cast<std::uint32_t>(head), query);
        probe.prepare(0, n);
        reader.truncate(0);
        reader.forward(tokens, {}, &probe);
        const test::AttentionParts parts = probe.parts();
        const auto row = whole.weights().subspan(((layer * heads + head) * n + query) * n, n);
        const Rule rule = rule_of(loaded->spec().decoder->stack.layers[layer], head);
        CHECK((parts.end > parts.begin) == rule.attends);
        CHECK(parts.sink.has_value() == rule.sinks);
        CHECK(parts.end == (rule.attends ? query + 1 : 0));
        CHECK(parts.begin == (rule.window != 0 && query + 1 > rule.window ? query + 1 - rule.window : 0));
        const std::vector<double> weights = weights_of(parts);
        REQUIRE(weights.size() == parts.weights.size());
        for (std::size_t key = 0; key < weights.size(); ++key) {
          CHECK(parts.weights[key] == row[parts.begin + key]);
          CHECK(std::abs(weights[key] - static_cast<double>(parts.weights[key])) < 2e-5);
        }
      }
    }
  }
}

TEST_CASE("norms of values agree with weights and outputs of heads", "[golden][shared]") {
  for (const char* name : {"llama-gqa", "gemma2", "gpt2", "bloom", "deepseek2-lite", "deepseek2-lite-mla"}) {
    DYNAMIC_SECTION(name) {
      const auto cases = golden::cases_of("causal");
      const auto model = *std::find_if(cases.begin(), cases.end(), [&](const golden::Case& c) { return c.name == name; });
      const auto tokens = golden::reference(model)["tokens"].get<std::vector<runtime::TokenId>>();
      runtime::LoadOptions exact;
      exact.kv_cache = KvType::f32;
      const auto loaded = golden::load(model, exact);
      test::Reader reader(*loaded);
      test::AttentionProbe attention(reader.model(), {1}, {});
      reader.forward(tokens, {}, &attention);
      test::HeadProbe outputs(reader.model(), 1);
      outputs.prepare(tokens.size());
      reader.truncate(0);
      reader.forward(tokens, {}, &outputs);
      test::ValueProbe probe(reader.model(), {1}, {});
      probe.prepare(0, tokens.size());
      reader.truncate(0);
      for (std::size_t i = 0; i < tokens.size(); i += 5)  // several passes
        reader.forward(std::span(tokens).subspan(i, std::min<std::size_t>(5, tokens.size() - i)), {}, &probe);
      const std::vector<float> norms(probe.values().begin(), probe.values().end());
      const nn::Linear& output = *output_of(loaded->decoder()->stack().layer(1));
      const std::size_t heads = outputs.shape().count, dim = outputs.shape().dim;
      const std::size_t n = tokens.size();
      std::size_t all_checked = 0;
      REQUIRE(norms.size() == heads * n);
      std::vector<float> row(output.matrix.columns);
      for (std::size_t head = 0; head < heads; ++head) {
        const auto weights = attention.weights().subspan(head * n * n, n * n);
        std::size_t checked = 0;  // rounding errors are amplified in a row with little weight of the token itself
        while (checked < std::min<std::size_t>(n, 8) && weights[checked * (n + 1)] > 0.02f) ++checked;
        all_checked += checked;
        const auto values = solved_values(weights, outputs.values().subspan(head * dim), heads * dim, dim, checked, n);
        for (std::size_t key = 0; key < checked; ++key) {
          double squares = 0;
          for (std::size_t i = 0; i < output.matrix.rows; ++i) {
            loaded->kernels().unpack_row(output.matrix, i, row.data());
            double sum = 0;
            for (std::size_t k = 0; k < dim; ++k) sum += static_cast<double>(row[head * dim + k]) * values[key * dim + k];
            squares += sum * sum;
          }
          INFO("head " << head << ", key " << key);
          CHECK(std::abs(static_cast<double>(norms[head * n + key]) / std::sqrt(squares) - 1) < 1e-3);
        }
      }
      CHECK(all_checked > heads);
    }
  }
}
