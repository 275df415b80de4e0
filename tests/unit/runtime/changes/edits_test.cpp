// Edits of states, heads and attention, compared with equivalent changes.
#include "runtime/changes/edits.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "runtime/changes/changes.hpp"
#include "runtime/requests.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/recorders.hpp"
#include "support/tokens.hpp"
#include "unit/models/family_values.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::AttentionProbe;
using test::check_throws;
using test::HeadProbe;
using test::StateProbe;
using Kind = Edit::Kind;

namespace {

std::vector<float> edited_logits(const Model& model, std::vector<Edit> edits, std::span<const TokenId> tokens,
                                 std::size_t batch = 128, Recorder* recorder = nullptr) {
  Workspace workspace(model);
  Sequence sequence(workspace);
  sequence.change({.edits = std::make_shared<const Edits>(model, std::move(edits))});
  std::vector<float> all;
  for (std::size_t begin = 0; begin < tokens.size(); begin += batch) {
    const auto part = tokens.subspan(begin, std::min(batch, tokens.size() - begin));
    std::vector<float> logits(part.size() * model.info().vocabulary);
    sequence.forward(part, logits, recorder);
    all.insert(all.end(), logits.begin(), logits.end());
  }
  return all;
}

/// The first layer with softmax attention.
std::int32_t attending_layer(const Model& model) {
  const nn::StackSpec& stack = model.spec().decoder->stack;
  for (std::size_t layer = 0; layer < stack.layers.size(); ++layer)
    if (heads_of(stack, layer).count > 0) return static_cast<std::int32_t>(layer);
  return -1;
}

}  // namespace

TEST_CASE("edits of any family are the same in any batches, and those that change nothing leave every bit", "[runtime][edits]") {
  const auto tokens = test::some_tokens(20);
  for (const std::string architecture : test::kArchitectures) {
    LoadOptions options;
    options.threads = 2;
    const auto model = test::load_bytes(test::family_model(architecture), options);
    if (!model->decoder() || model->encoder()) continue;
    INFO(architecture);
    const std::vector<float> plain = test::model_logits(*model, tokens);
    const std::int32_t layer = attending_layer(*model);
    std::vector<Edit> edits = {{.layer = -1, .positions = {{2, 17, 90}}, .vector = std::vector<float>(32, 0.25f)},
                               {.layer = 1, .vector = std::vector<float>(32, -0.5f), .factor = 0.75f},
                               {.kind = Kind::replace, .layer = 0, .positions = {{5}}, .vector = std::vector<float>(32, 1.0f)}};
    std::vector<Edit> nothing = {{.layer = 0, .positions = {{40}}, .vector = std::vector<float>(32, 1.0f)}};
    if (layer >= 0) {
      edits.push_back({.kind = Kind::scale, .point = Point::head, .layer = layer, .head = 1, .factor = -2});
      nothing.push_back({.kind = Kind::scale, .point = Point::head, .layer = layer, .head = 1, .factor = 1});
    }
    const bool cuts = layer >= 0 && !model->spec().decoder->stack.bias;
    if (cuts) {
      edits.push_back({.kind = Kind::cut, .layer = layer, .head = 0, .edges = {{19, 0}, {19, 18}, {7, 7}}});
      nothing.push_back({.kind = Kind::cut, .layer = layer, .edges = {{3, 9}, {4000000000, 0}}});
    }
    const std::vector<float> whole = edited_logits(*model, edits, tokens);
    CHECK(std::ranges::all_of(whole, [](float x) { return std::isfinite(x); }));
    CHECK(whole != plain);
    const bool same = edited_logits(*model, edits, tokens, 7) == whole && edited_logits(*model, edits, tokens, 1) == whole;
    CHECK(same);
    const bool untouched = edited_logits(*model, nothing, tokens) == plain;
    CHECK(untouched);
  }
}

TEST_CASE("a head without keys is a head that is set to zero, and one that attends to the only key it has gives its value",
          "[runtime][edits]") {
  const auto tokens = test::some_tokens(9);
  for (const std::string architecture : {"llama", "gemma2", "deepseek2", "gpt-oss", "qwen35"}) {
    INFO(architecture);
    const auto model = test::load_bytes(test::family_model(architecture));
    const std::int32_t layer = attending_layer(*model);
    const HeadShape shape = heads_of(model->spec().decoder->stack, static_cast<std::size_t>(layer));
    Edit all{.kind = Kind::cut, .layer = layer, .head = 1}, most = all;
    for (std::uint32_t key = 0; key <= 8; ++key) {
      all.edges.emplace_back(8, key);
      if (key != 8) most.edges.emplace_back(8, key);
    }
    HeadProbe blind(*model, static_cast<std::size_t>(layer)), narrow(*model, static_cast<std::size_t>(layer));
    const Edit zero{.kind = Kind::replace,
                    .point = Point::head,
                    .layer = layer,
                    .head = 1,
                    .positions = {{8}},
                    .vector = std::vector<float>(shape.dim)};
    const bool same = edited_logits(*model, {all}, tokens, 128, &blind) == edited_logits(*model, {zero}, tokens);
    CHECK(same);
    const auto of = [&](const HeadProbe& probe) { return probe.values().subspan((8 * shape.count + 1) * shape.dim, shape.dim); };
    CHECK(std::ranges::all_of(of(blind), [](float x) { return x == 0; }));
    edited_logits(*model, {most}, tokens, 128, &narrow);
    CHECK(std::ranges::any_of(of(narrow), [](float x) { return x != 0; }));
    AttentionProbe attention(*model, {static_cast<std::uint32_t>(layer)}, {1});
    edited_logits(*model, {most}, tokens, 128, &attention);
    const auto row = attention.weights().last(9);
    CHECK(std::ranges::all_of(row.first(8), [](float weight) { return weight == 0; }));
    CHECK(row[8] > 0);
  }
}

TEST_CASE("a state that is patched is the one that was read", "[runtime][edits]") {
  const auto model = test::load_bytes(test::family_model("gemma3"));
  const auto tokens = test::some_tokens(12), other = test::some_tokens(15, 40);
  StateProbe read(*model, {{1}, {14}}), written(*model, {{1}, {6}});
  test::Reader reader(*model);
  reader.forward(other, {}, &read);
  const Edit patch{.kind = Kind::replace, .layer = 1, .positions = {{6}}, .vector = {read.values().begin(), read.values().end()}};
  edited_logits(*model, {patch}, tokens, 128, &written);
  CHECK(std::ranges::equal(read.values(), written.values()));
}

TEST_CASE("edits are alike until the first position that they treat differently", "[runtime][edits]") {
  const Edit all{.layer = 1, .vector = {1}}, some{.layer = 1, .positions = {{7, 4}}, .vector = {1}},
      cut{.kind = Kind::cut, .layer = 1, .edges = {{9, 2}, {6, 1}}};
  using Edits = std::vector<Edit>;
  CHECK(alike_until(Edits{}, Edits{}) == kEverywhere);
  CHECK(alike_until(Edits{all}, Edits{all}) == kEverywhere);
  CHECK(alike_until(Edits{all, some}, Edits{all}) == 4);
  CHECK(alike_until(Edits{all, some}, Edits{all, cut}) == 4);
  CHECK(alike_until(Edits{cut}, Edits{}) == 6);
  CHECK(alike_until(Edits{cut}, Edits{all, cut}) == 0);
}

TEST_CASE("edits and adapters whose numbers overflow are refused, and the texts beside them are read", "[runtime][edits]") {
  runtime::LoadOptions options;
  options.parallel = 2;
  const auto model = test::load_bytes(test::family_model("llama"), options);
  const auto tokens = test::some_tokens(6);
  const std::size_t vocabulary = model->info().vocabulary;
  const std::vector<float> expected = edited_logits(*model, {}, tokens);
  const float most = std::numeric_limits<float>::max();
  const Edit cases[] = {
      {.kind = Kind::scale, .point = Point::head, .layer = 0, .head = 0, .factor = most},
      {.kind = Kind::scale, .point = Point::head, .layer = 0, .head = 0, .factor = 1e25F},
      {.kind = Kind::replace,
       .point = Point::head,
       .layer = 0,
       .head = 1,
       .vector = std::vector<float>(heads_of(model->spec().decoder->stack, 0).dim, most)},
      {.layer = 0, .vector = std::vector<float>(32, 1e30f), .factor = 1e30f},
  };
  for (const Edit& edit : cases) {
    check_throws(ErrorCode::invalid_argument, "edits: make numbers too large", [&] { edited_logits(*model, {edit}, tokens); });

    Workspace workspace(*model);
    Sequence changed(workspace), plain(workspace);
    changed.change({.edits = std::make_shared<const Edits>(*model, std::vector<Edit>{edit})});
    std::vector<float> logits(2 * tokens.size() * vocabulary);
    const ForwardInput both[] = {{&changed, tokens, tokens.size()}, {&plain, tokens, tokens.size()}};
    check_throws(ErrorCode::invalid_argument, "edits: make numbers too large", [&] { forward(workspace, both, logits); });
    CHECK(changed.tokens().empty());
    CHECK(plain.tokens().empty());
    logits.resize(tokens.size() * vocabulary);
    REQUIRE(plain.forward(tokens, logits));
    CHECK(logits == expected);
    changed.change({});
    REQUIRE(changed.forward(tokens, logits));
    CHECK(logits == expected);
  }
}

TEST_CASE("edits that do not fit are refused by name", "[runtime][edits]") {
  const auto model = test::load_bytes(test::family_model("llama")), mamba = test::load_bytes(test::family_model("mamba2")),
             bloom = test::load_bytes(test::family_model("bloom")), t5 = test::load_bytes(test::family_model("t5"));
  const auto refuse = [](const Model& of, ErrorCode code, const std::string& part, const Edit& edit) {
    check_throws(code, part, [&] { Edits(of, {{.vector = std::vector<float>(32)}, edit}); });
  };
  const auto wrong = ErrorCode::invalid_argument;
  const std::vector<float> zeros(32);
  refuse(*model, wrong, "edits[1].layer: 99 is out of range", {.layer = 99, .vector = zeros});
  refuse(*model, wrong, "edits[1].layer: -2 is out of range", {.layer = -2, .vector = zeros});
  refuse(*model, wrong, "edits[1].layer: -1 is out of range", {.kind = Kind::scale, .point = Point::head, .layer = -1, .head = 0});
  refuse(*model, wrong, "edits[1].vector: has 31 numbers, expected 32", {.vector = std::vector<float>(31)});
  refuse(*model, wrong, "edits[1].vector: must be finite", {.vector = std::vector<float>(32, NAN)});
  refuse(*model, wrong, "edits[1].vector: has 0 numbers", {.kind = Kind::replace, .point = Point::head, .head = 0});
  refuse(*model, wrong, "edits[1].factor: must be finite", {.vector = zeros, .factor = INFINITY});
  refuse(*model, wrong, "edits[1].head: 8 is out of range: the layer has 8 heads",
         {.kind = Kind::scale, .point = Point::head, .head = 8});
  refuse(*model, wrong, "edits[1].at: attn.1.weights can be read, but not changed",
         {.kind = Kind::scale, .point = Point::weights, .layer = 1});
  refuse(*model, ErrorCode::unsupported, "edits[1].layer: layer 0 has no gate.0.decay",
         {.kind = Kind::scale, .point = Point::decay});
  refuse(*model, wrong, "edits[1].head: 1 is out of range", {.kind = Kind::scale, .point = Point::mlp, .head = 1});
  refuse(*mamba, ErrorCode::unsupported, "edits[1].layer: layer 0 has no softmax attention",
         {.kind = Kind::scale, .point = Point::head, .head = 0});
  refuse(*bloom, ErrorCode::unsupported, "edits[1]: keys cannot be cut", {.kind = Kind::cut, .edges = {{1, 0}}});
  check_throws(ErrorCode::unsupported, "edits are for decoders alone", [&] { Edits(*t5, {}); });
}
