// Variants of a text: several in a pass, from the first layer and position that they change, with the bits of runs of their own.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "engine/engine.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using nn::Point;
using runtime::Edit;
using test::check_throws;

namespace {

/// The logits at a position of a text that is read under these edits.
std::vector<float> logits_under(engine::Engine& engine, std::span<const runtime::TokenId> tokens, std::vector<Edit> edits,
                                std::size_t position) {
  auto run = engine.read();
  run.change({.edits = engine.make_edits(std::move(edits))}, tokens);
  const auto row = *run.forward(tokens.first(position + 1), 1);
  return {row.begin(), row.end()};
}

/// Edits at several points of the model, first those that need the whole text.
std::vector<std::vector<Edit>> some_edits(const runtime::Model& model, std::size_t tokens) {
  std::vector<std::vector<Edit>> variants;
  for (const nn::NamedPlace& place : runtime::places_of(model)) {
    if (place.of != runtime::AttentionOf::decoder || place.place.cross || !nn::rule_of(place.place.point).writable) continue;
    if (nn::is_divisor(place.place.point) || place.place.point == Point::logits) continue;
    Edit edit{.kind = Edit::Kind::replace, .point = place.place.point, .layer = static_cast<std::int32_t>(place.place.layer)};
    if (place.place.point == Point::embed) edit = {.kind = Edit::Kind::replace, .point = Point::resid, .layer = -1};
    edit.positions = std::vector<std::uint32_t>{static_cast<std::uint32_t>(tokens / 2), static_cast<std::uint32_t>(tokens - 2)};
    edit.each = true;
    edit.vector.resize(2 * place.parts * place.width);
    for (std::size_t i = 0; i < edit.vector.size(); ++i) edit.vector[i] = 0.1f * static_cast<float>(i % 7) - 0.3f;
    variants.push_back({edit});
  }
  return variants;
}

}  // namespace

TEST_CASE("variants of a text have the bits of runs of their own", "[engine][trace]") {
  const auto tokens = test::some_tokens(21);
  for (const std::string architecture :
       {"llama", "gpt2", "gemma2", "gemma3n", "gemma4", "phi2", "olmoe", "qwen35", "falcon-h1", "deepseek2"}) {
    INFO(architecture);
    engine::Engine engine(test::load_bytes(test::family_model(architecture)));
    const runtime::Model& model = engine.model();
    auto run = engine.read();
    run.watch(runtime::state_requests(model, {}), tokens.size());
    run.forward(tokens, 0);
    const std::size_t position = tokens.size() - 1;
    const auto variants = some_edits(model, tokens.size());
    const std::vector<runtime::TokenId> read = {7, static_cast<runtime::TokenId>(model.info().vocabulary) - 1, 7};
    std::vector<std::vector<float>> made, some_logits;
    std::size_t passes = 0;
    while (made.size() < variants.size()) {
      const auto left = std::span(variants).subspan(made.size());
      auto some = *run.vary(left, position), reading = *run.vary(left, position, read);
      REQUIRE_FALSE(some.empty());
      ++passes;
      for (auto& one : reading) some_logits.push_back(std::move(one.logits));
      for (auto& one : some) made.push_back(std::move(one.logits));
    }
    CHECK(passes < variants.size());
    for (std::size_t i = 0; i < variants.size(); ++i) {
      INFO("layer " << variants[i][0].layer << ", point " << static_cast<int>(variants[i][0].point));
      CHECK(made[i] == logits_under(engine, tokens, variants[i], position));
      CHECK(some_logits[i] == std::vector{made[i][7], made[i].back(), made[i][7]});
    }
  }
}

TEST_CASE("what variants record, an earlier position, and what does not fit", "[engine][trace]") {
  const auto tokens = test::some_tokens(9);
  engine::Engine engine(test::load_bytes(test::family_model("llama")));
  const std::size_t width = engine.model().info().width;
  auto run = engine.read();
  run.watch(runtime::state_requests(engine.model(), {}), tokens.size());
  run.forward(tokens, 0);
  const std::vector<std::vector<Edit>> variants = {{{.layer = 0, .positions = {{2}}, .vector = std::vector<float>(width, 0.5f)}}};
  const auto made = run.vary(variants, 4, {}, runtime::state_requests(engine.model(), {{1}, {}}));
  REQUIRE(made->size() == 1);
  auto own = engine.read();
  own.change({.edits = engine.make_edits(variants[0])}, tokens);
  own.watch(runtime::state_requests(engine.model(), {{1}, {}}), 5);
  const auto row = *own.forward(std::span(tokens).first(5), 1);
  CHECK(std::ranges::equal((*made)[0].logits, row));
  CHECK(std::ranges::equal((*made)[0].recorded->values(), own.watched()));
  check_throws(ErrorCode::invalid_argument, "position: 9 is beyond the 9 tokens", [&] { run.vary(variants, 9); });
  const runtime::TokenId beyond = static_cast<runtime::TokenId>(engine.model().info().vocabulary);
  check_throws(ErrorCode::invalid_argument, "outside the vocabulary", [&] { run.vary(variants, 4, {{beyond}}); });
  check_throws(ErrorCode::invalid_argument, "variants: must be at least one", [&] { run.vary({}, 0); });
  const std::vector<std::vector<Edit>> wrong = {{{.layer = 99, .vector = std::vector<float>(width)}}};
  check_throws(ErrorCode::invalid_argument, "edits[0].layer", [&] { run.vary(wrong, 0); });
}

TEST_CASE("attention weights of an edit take the place of the softmax", "[engine][trace]") {
  const auto tokens = test::some_tokens(6);
  engine::Engine engine(test::load_bytes(test::family_model("llama")));
  const auto weights = runtime::requests_of(engine.model(), {.what = "points", .points = {"attn.1.weights", "head.1"}});
  auto plain = engine.read();
  plain.watch(weights, tokens.size());
  plain.forward(tokens, 0);
  const auto values = plain.watched();
  const std::size_t heads = plain.recorded()->shape(0)[0], count = tokens.size();
  Edit edit{.kind = Edit::Kind::replace, .point = Point::weights, .layer = 1, .head = 1, .positions = {{4}}, .each = true};
  edit.vector.assign(count, 0.0f);
  edit.vector[2] = 1;
  auto run = engine.read();
  run.change({.edits = engine.make_edits({edit})}, tokens);
  run.watch(weights, count);
  run.forward(tokens, 0);
  CHECK(std::ranges::equal(run.watched().subspan((count + 4) * count, count), edit.vector));
  CHECK(std::ranges::equal(run.watched().first(count * count), values.first(count * count)));
  CHECK_FALSE(std::ranges::equal(run.watched().subspan(heads * count * count), values.subspan(heads * count * count)));
  edit.each = false;
  check_throws(ErrorCode::invalid_argument, "can be read, but not changed", [&] { engine.make_edits({edit}); });
}
