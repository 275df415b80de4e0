// Direct logit attribution: the parts add up to the logit, and a head's part is the logit's loss without the head, if no later
// layer reads it.
#include "runtime/attribution.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <numeric>

#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/recorders.hpp"
#include "support/tokens.hpp"
#include "unit/models/family_values.hpp"
#include "unit/runtime/changes/random_adapter.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using Catch::Matchers::WithinAbs;
using test::AttributionProbe;
using test::check_throws;

TEST_CASE("the parts of a logit add up to it, in any family that adds them", "[runtime][attribution]") {
  const auto tokens = test::some_tokens(14);
  std::size_t attributed = 0;
  for (const std::string architecture : test::kArchitectures) {
    const auto model = test::load_bytes(test::family_model(architecture));
    INFO(architecture);
    std::optional<AttributionProbe> probe;
    try {
      probe.emplace(*model, 9);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::unsupported);
      continue;
    }
    ++attributed;
    test::Reader reader(*model);
    std::vector<float> logits(tokens.size() * model->info().vocabulary);
    reader.forward(std::span(tokens).first(5), std::span(logits).first(5 * model->info().vocabulary), &*probe);
    reader.forward(std::span(tokens).subspan(5), std::span(logits).subspan(5 * model->info().vocabulary), &*probe);
    const bool same = logits == test::model_logits(*model, tokens);
    CHECK(same);
    const Attribution parts = probe->attribute(reader.workspace(), 42);
    CHECK(parts.logit == static_cast<double>(logits[9 * model->info().vocabulary + 42]));
    if (const float cap = model->spec().decoder->head.softcap; cap == 0) CHECK_THAT(parts.sum, WithinAbs(parts.logit, 1e-4));
    REQUIRE(parts.heads.size() == model->info().layers);
    double sum = parts.embedding + parts.constant;
    for (std::size_t i = 0; i < parts.heads.size(); ++i) {
      const nn::StackSpec& stack = model->spec().decoder->stack;
      const auto gated = nn::find_place(stack, AttentionOf::decoder, Point::gated, i);  // also heads of the gated delta rule
      CHECK(parts.heads[i].size() == (gated ? gated->parts : heads_of(stack, i).count));
      sum += std::accumulate(parts.heads[i].begin(), parts.heads[i].end(), parts.attention_bias[i] + parts.mlp[i]);
    }
    CHECK_THAT(sum, WithinAbs(parts.sum, 1e-9));
  }
  CHECK(attributed > 20);
}

TEST_CASE("with attention only, the logit is the sum of heads, bias and embedding", "[runtime][attribution]") {
  // With an MLP whose output is zero, a layer adds only the outputs of its heads.
  for (const std::string architecture : {"llama", "gemma2", "granite", "deepseek2", "gpt2"}) {
    INFO(architecture);
    const auto model = test::load_bytes(test::family_model(architecture, 64, {}, [](test::Tensors& tensors) {
      for (auto& [name, tensor] : tensors)
        if (name.find(".ffn_down") != name.npos) std::ranges::fill(tensor.values, 0.0f);
    }));
    AttributionProbe probe(*model, 7);
    test::Reader reader(*model);
    reader.forward(test::some_tokens(8), {}, &probe);
    const Attribution parts = probe.attribute(reader.workspace(), 5);
    for (const double rest : parts.mlp) CHECK_THAT(rest, WithinAbs(0, 1e-4));
    CHECK(std::ranges::any_of(parts.heads[0], [](double part) { return std::abs(part) > 1e-3; }));
  }
}

TEST_CASE("an adapter is attributed as the same change of the weights", "[runtime][attribution][adapters]") {
  const auto tokens = test::some_tokens(10);
  for (const std::string architecture : {"llama", "gemma2", "granite", "deepseek2", "gpt2"}) {
    INFO(architecture);
    const auto plain = test::load_bytes(test::family_model(architecture));
    const test::Tensors factors = test::random_factors(*plain, 3, 7);
    const auto adapter = read_adapter(*plain, test::adapter_file(architecture, factors, 3.0f));
    const auto merged = test::load_bytes(test::family_model(architecture, 64, {},
                                                            [&](test::Tensors& tensors) { test::merge(tensors, factors, 0.5); }));
    const auto flat = [&](const Model& model, const Changes& changes) {
      AttributionProbe probe(model, 8);
      test::Reader reader(model);
      reader.sequence().change(placed(changes, tokens));
      reader.forward(tokens, {}, &probe);
      const Attribution parts = probe.attribute(reader.workspace(), 6, reader.sequence().changes());
      CHECK_THAT(parts.sum, WithinAbs(parts.logit, model.spec().decoder->head.softcap == 0 ? 1e-4 : 1e9));
      std::vector<double> all = {parts.embedding, parts.constant, parts.logit};
      for (std::size_t i = 0; i < parts.heads.size(); ++i) {
        all.insert(all.end(), parts.heads[i].begin(), parts.heads[i].end());
        all.insert(all.end(), {parts.attention_bias[i], parts.mlp[i]});
      }
      return all;
    };
    const std::vector<double> expected = flat(*merged, {}), actual = flat(*plain, {{{adapter, 0.5f}}}), without = flat(*plain, {});
    REQUIRE(actual.size() == expected.size());
    double most = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
      CHECK_THAT(actual[i], WithinAbs(expected[i], 1e-4));
      most = std::max(most, std::abs(without[i] - expected[i]));
    }
    CHECK(most > 1e-2);
  }
}

TEST_CASE("edits are attributed to the layers that they change", "[runtime][attribution][edits]") {
  const auto tokens = test::some_tokens(10);
  const auto model = test::load_bytes(test::family_model("llama"));
  const std::size_t width = model->info().width;
  const auto attribute = [&](std::vector<Edit> edits) {
    AttributionProbe probe(*model, 8);
    test::Reader reader(*model);
    if (!edits.empty()) reader.sequence().change({.edits = std::make_shared<const Edits>(*model, std::move(edits))});
    reader.forward(tokens, {}, &probe);
    return probe.attribute(reader.workspace(), 6, reader.sequence().changes());
  };
  const Attribution plain = attribute({});
  const auto last = static_cast<std::int32_t>(model->info().layers) - 1;
  const Attribution ablated = attribute({{.kind = Edit::Kind::scale, .point = Point::head, .layer = 0, .head = 1, .factor = 0}});
  CHECK(ablated.heads[0][1] == 0);
  CHECK(ablated.heads[0][0] != 0);
  CHECK_THAT(ablated.sum, WithinAbs(ablated.logit, 1e-4));
  const Attribution steered = attribute({{.layer = last, .vector = std::vector<float>(width, 0.25f)}});
  CHECK(std::abs(steered.mlp.back() - plain.mlp.back()) > 1e-3);
  CHECK_THAT(steered.sum, WithinAbs(steered.logit, 1e-4));
  const Attribution entered = attribute({{.layer = -1, .vector = std::vector<float>(width, 0.25f)}});
  CHECK(std::abs(entered.embedding - plain.embedding) > 1e-3);
  CHECK_THAT(entered.sum, WithinAbs(entered.logit, 1e-4));
}

TEST_CASE("attribution rejects families without a plain sum", "[runtime][attribution]") {
  const auto refuse = [](const std::string& architecture, const std::string& part) {
    const auto model = test::load_bytes(test::family_model(architecture));
    check_throws(ErrorCode::unsupported, part, [&] { AttributionProbe(*model, 0); });
  };
  refuse("bert", "attribution is for decoders alone");
  refuse("t5", "attribution is for decoders alone");
  refuse("gemma3n", "gemma3n: cannot be attributed: it has several residual streams");
  const auto model = test::load_bytes(test::family_model("llama"));
  test::Reader reader(*model);
  AttributionProbe probe(*model, 0);
  reader.forward(test::some_tokens(1), {}, &probe);
  check_throws(ErrorCode::invalid_argument, "token: token -1 is outside the vocabulary",
               [&] { probe.attribute(reader.workspace(), -1); });
}
