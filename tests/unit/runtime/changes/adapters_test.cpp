// Adapters: the same results as with merged weights, and each token uses its own adapters.
#include "runtime/changes/adapters.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "runtime/changes/changes.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/tokens.hpp"
#include "tensor/half.hpp"
#include "unit/models/family_values.hpp"
#include "unit/runtime/changes/random_adapter.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::check_throws;
using test::Tensors;

namespace {

Changes adapted(std::vector<AdapterUse> uses) { return placed({.adapters = std::move(uses)}, {}); }

/// Logits of all tokens, read in passes of `batch` by a new sequence.
std::vector<float> changed_logits(const Model& model, const Changes& changes, std::span<const TokenId> tokens,
                                  std::size_t batch = 128) {
  Workspace workspace(model);
  Sequence sequence(workspace);
  sequence.change(changes);
  std::vector<float> all;
  for (std::size_t begin = 0; begin < tokens.size(); begin += batch) {
    const auto part = tokens.subspan(begin, std::min(batch, tokens.size() - begin));
    std::vector<float> logits(part.size() * model.info().vocabulary);
    sequence.forward(part, logits);
    all.insert(all.end(), logits.begin(), logits.end());
  }
  return all;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    largest = std::max(largest, std::abs(static_cast<double>(b[i])));
  }
  return worst / largest;
}

}  // namespace

TEST_CASE("an adapter of all matrices of any family does what merged weights do", "[runtime][adapters]") {
  const auto tokens = test::some_tokens(20);
  for (const std::string architecture : test::kArchitectures) {
    LoadOptions options;
    options.threads = 2;
    const auto model = test::load_bytes(test::family_model(architecture), options);
    if (!model->decoder() || model->encoder()) continue;
    INFO(architecture);
    const bool untied = std::ranges::any_of(model->matrices(), [](const auto& m) { return m.name == "output.weight"; });
    const Tensors factors = test::random_factors(*model, 3, 7, untied);
    REQUIRE(factors.size() >= 8);
    const auto adapter = read_adapter(*model, test::adapter_file(architecture, factors, 1.5f));
    const auto merged = test::load_bytes(
        test::family_model(architecture, 64, {}, [&](Tensors& tensors) { test::merge(tensors, factors, -0.6 * 1.5 / 3); }),
        options);
    const std::vector<float> got = changed_logits(*model, adapted({{adapter, -0.6f}}), tokens);
    const double off = distance(got, test::model_logits(*merged, tokens)),
                 moved = distance(got, test::model_logits(*model, tokens));
    CHECK(off < 1e-4);
    CHECK(moved > 1e-3);

    const bool same = changed_logits(*model, adapted({{adapter, -0.6f}}), tokens, 7) == got &&
                      changed_logits(*model, adapted({{adapter, -0.6f}}), tokens, 1) == got;
    CHECK(same);
    const bool off_is_base = changed_logits(*model, adapted({{adapter, 0.0f}}), tokens) == test::model_logits(*model, tokens);
    CHECK(off_is_base);
  }
}

TEST_CASE("factors stored as halves are kept as halves, and give the bits of the same floats", "[runtime][adapters]") {
  const auto model = test::load_bytes(test::family_model("llama"));
  const auto tokens = test::some_tokens(20);
  for (const std::uint32_t type : {1u, 30u}) {  // F16, BF16
    INFO(type);
    test::GgufWriter halves;
    halves.set("general.type", "adapter").set("adapter.type", "lora").set("general.architecture", "llama");
    Tensors floats = test::random_factors(*model, 3, 7);
    for (auto& [name, tensor] : floats) {
      std::vector<std::uint16_t> stored;
      for (float& x : tensor.values) {
        const auto narrow = type == 1 ? f32_to_f16(x) : static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16);
        x = type == 1 ? f16_to_f32(narrow) : bf16_to_f32(narrow);
        stored.push_back(narrow);
      }
      const auto bytes = std::as_bytes(std::span(stored));
      halves.tensor({name, {tensor.shape.rbegin(), tensor.shape.rend()}, type, {bytes.begin(), bytes.end()}});
    }
    const auto narrow = read_adapter(*model, halves.finish());
    const auto wide = read_adapter(*model, test::adapter_file("llama", floats, std::nullopt));
    CHECK(narrow->factors.bytes() == wide->factors.bytes() / 2);
    const bool same = changed_logits(*model, adapted({{narrow, 1}}), tokens) ==
                      changed_logits(*model, adapted({{wide, 1}}), tokens);
    CHECK(same);
  }
}

TEST_CASE("every text of a pass, and every token of a text, goes through its own adapters", "[runtime][adapters]") {
  for (const std::string architecture : {"llama", "qwen2moe", "deepseek2", "falcon-h1", "gemma3n"}) {
    INFO(architecture);
    LoadOptions options;
    options.threads = 3;
    const auto model = test::load_bytes(test::family_model(architecture), options);
    const auto a = test::random_adapter(*model, 2, 1), b = test::random_adapter(*model, 5, 2);
    const std::vector<Changes> changes = {adapted({{a, 1}}),
                                          {},
                                          adapted({{a, 1}, {b, -0.5f}}),
                                          adapted({{b, -0.5f}, {a, 1}}),
                                          adapted({{a, 1, PositionRange{0, 9}}, {b, 2, PositionRange{9, kEverywhere}}})};
    Workspace workspace(*model);
    std::vector<Sequence> sequences(changes.size(), Sequence(workspace));
    std::vector<std::vector<TokenId>> texts;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      sequences[i].change(changes[i]);
      texts.push_back(test::some_tokens(18, i));
    }
    const std::size_t vocabulary = model->info().vocabulary;
    std::vector<std::vector<float>> together(changes.size());
    for (std::size_t at = 0; at < 18; at += 6) {  // pieces of 6 tokens of all texts
      std::vector<ForwardInput> inputs;
      for (std::size_t i = 0; i < changes.size(); ++i)
        inputs.push_back({&sequences[i], std::span<const TokenId>(texts[i]).subspan(at, 6), 6});
      std::vector<float> logits(changes.size() * 6 * vocabulary);
      forward(workspace, inputs, logits);
      for (std::size_t i = 0; i < changes.size(); ++i) {
        const auto own = std::span(logits).subspan(i * 6 * vocabulary, 6 * vocabulary);
        together[i].insert(together[i].end(), own.begin(), own.end());
      }
    }
    for (std::size_t i = 0; i < changes.size(); ++i) {
      INFO("text " << i);
      const bool same = together[i] == changed_logits(*model, changes[i], texts[i]);
      CHECK(same);
    }
    const auto alone = changed_logits(*model, adapted({{a, 1}}), texts[4]);
    const bool before = std::equal(alone.begin(), alone.begin() + static_cast<std::ptrdiff_t>(9 * vocabulary), together[4].begin());
    CHECK(before);
    CHECK(alone != together[4]);
  }
}

TEST_CASE("an activated adapter is on from the last invocation", "[runtime][adapters]") {
  const auto model = test::load_bytes(test::family_model("llama"));
  const auto adapter = test::random_adapter(*model, 2, 1, {7, 8, 8});
  const auto range_in = [&](std::vector<TokenId> prompt) { return *placed({.adapters = {{adapter}}}, prompt).adapters[0].range; };
  CHECK(range_in({7, 8, 8, 1, 7, 8, 8, 8}).from == 4);
  CHECK(range_in({7, 8, 8, 1, 7, 8}).from == 0);
  CHECK(range_in({7, 8, 8}).to == kEverywhere);
  for (const auto& prompt : {std::vector<TokenId>{7, 8, 1}, {}}) CHECK(range_in(prompt).to == 0);
  CHECK(Changes{.adapters = {{adapter}}}.has_places());
  CHECK_FALSE(adapted({{test::random_adapter(*model, 2, 1), 2}}).has_places());
}

TEST_CASE("changes are alike until one of their adapters begins or ends", "[runtime][adapters]") {
  const auto model = test::load_bytes(test::family_model("llama"));
  const auto a = test::random_adapter(*model, 2, 1), b = test::random_adapter(*model, 2, 1);
  const Changes none, whole = adapted({{a, 1}}), from_5 = adapted({{a, 1, PositionRange{5, kEverywhere}}});
  CHECK(alike_until(none, none) == kEverywhere);
  CHECK(alike_until(whole, whole) == kEverywhere);
  CHECK(alike_until(whole, none) == 0);
  CHECK(alike_until(none, from_5) == 5);
  CHECK(alike_until(from_5, whole) == 0);
  CHECK(alike_until(whole, adapted({{a, 1, PositionRange{0, 9}}})) == 9);
  CHECK(alike_until(whole, adapted({{a, 2}})) == 0);
  CHECK(alike_until(whole, adapted({{b, 1}})) == 0);
  CHECK(alike_until(none, adapted({{a, 0}})) == kEverywhere);
  CHECK(alike_until(adapted({{a, 1}, {b, 1}}), adapted({{b, 1}, {a, 1}})) == 0);
  CHECK(alike_until(whole,
                    adapted({{b, 1, PositionRange{3, 3}}, {a, 1, PositionRange{0, 4}}, {a, 1, PositionRange{4, kEverywhere}}})) ==
        kEverywhere);
}

TEST_CASE("a sequence keeps the prefix that new changes do not affect", "[runtime][adapters]") {
  const auto model = test::load_bytes(test::family_model("llama"));
  const auto adapter = test::random_adapter(*model, 2, 1);
  Workspace workspace(*model);
  Sequence sequence(workspace);
  const auto tokens = test::some_tokens(10);
  sequence.forward(tokens, {});
  sequence.change(adapted({{adapter, 1, PositionRange{6, kEverywhere}}}));
  CHECK(sequence.tokens().size() == 6);
  sequence.forward(std::span(tokens).subspan(6), {});
  const Sequence fork = sequence;
  sequence.change({});
  CHECK(sequence.tokens().size() == 6);
  CHECK(fork.tokens().size() == 10);
  CHECK_FALSE(fork.changes().empty());
}

TEST_CASE("adapters that do not fit are refused by name", "[runtime][adapters]") {
  const auto model = test::load_bytes(test::family_model("llama"));
  const auto read = [&](const Tensors& factors, std::optional<float> alpha = {}) {
    return read_adapter(*model, test::adapter_file("llama", factors, alpha));
  };
  const Tensors good = test::random_factors(*model, 2, 1);
  const std::string a = good.begin()->first;
  const auto with = [&](auto change) {
    Tensors factors = good;
    change(factors);
    return factors;
  };
  CHECK(read(good)->factors.bytes() > 0);
  check_throws(ErrorCode::invalid_file, "adapter.lora.alpha", [&] { read(good, NAN); });
  check_throws(ErrorCode::invalid_file, a + ": has values that are not finite",
               [&] { read(with([&](Tensors& f) { f[a].values[1] = INFINITY; })); });
  check_throws(ErrorCode::invalid_file, "come in pairs", [&] { read(with([&](Tensors& f) { f.erase(a); })); });
  check_throws(ErrorCode::unsupported, "neither lora_a nor lora_b", [&] { read(with([&](Tensors& f) { f["blk.0.x"] = f[a]; })); });
  check_throws(ErrorCode::invalid_argument, "blk.9.x.weight.lora_a: the model has no matrix of this name",
               [&] { read(with([&](Tensors& f) { f["blk.9.x.weight.lora_a"] = f[a]; })); });
  check_throws(ErrorCode::invalid_file, "has no tensors", [&] { read({}); });
  check_throws(ErrorCode::invalid_argument, "general.architecture: is gemma, expected llama",
               [&] { read_adapter(*model, test::adapter_file("gemma", good, {})); });
  const auto bert = test::load_bytes(test::family_model("bert")), t5 = test::load_bytes(test::family_model("t5"));
  for (const Model* other : {bert.get(), t5.get()})
    check_throws(ErrorCode::unsupported, "adapters are for decoders alone",
                 [&] { read_adapter(*other, test::adapter_file("llama", good, {})); });
  check_throws(ErrorCode::invalid_argument, "adapters[0].scale: must be finite", [&] { adapted({{read(good), INFINITY}}); });
  check_throws(ErrorCode::invalid_argument, "adapters[0]: is missing", [&] { adapted({{nullptr}}); });
}
