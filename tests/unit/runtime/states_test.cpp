// The recorded residual stream, and its predictions of the next token.
#include "runtime/states.hpp"

#include <catch2/catch_test_macros.hpp>
#include <algorithm>
#include <cmath>

#include "nn/spec.hpp"
#include "runtime/requests.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/recorders.hpp"
#include "support/tokens.hpp"
#include "unit/models/family_values.hpp"
#include "unit/runtime/chain_model.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::check_throws;
using test::StateProbe;

namespace {

std::vector<float> copy_of(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("layers that add nothing leave the embedding", "[runtime][states]") {
  const auto model = test::load_bytes(test::chain_model({"a", "b", "c"}));
  const std::size_t width = model->info().width;
  test::Reader reader(*model);
  StateProbe probe(*model, {});
  reader.forward(std::vector<TokenId>{4, 1, 5}, {}, &probe);
  CHECK(std::ranges::equal(probe.layers(), std::vector<std::int32_t>{-1, 0}));
  std::vector<float> expected(3 * width);
  expected[4] = expected[width + 1] = expected[2 * width + 5] = 1;
  for (const std::size_t layer : {0u, 1u}) CHECK(copy_of(probe.values().subspan(layer * 3 * width, 3 * width)) == expected);
}

TEST_CASE("states of every family are the same in any batches, cost no bit, and the last one says the logits",
          "[runtime][states]") {
  const auto tokens = test::some_tokens(21);
  for (const std::string architecture : test::kArchitectures) {
    LoadOptions options;
    options.threads = 2;
    const auto model = test::load_bytes(test::family_model(architecture), options);
    if (!model->decoder()) continue;
    INFO(architecture);
    const std::vector<float> plain = test::model_logits(*model, tokens, runtime::kMaxBatch,
                                                        model->encoder() ? std::span(tokens) : std::span<const TokenId>());
    StateProbe whole(*model, {}), pieces(*model, {}), some(*model, {{0, -1}, {20, 3}});
    test::Reader reader(*model);
    if (model->encoder()) reader.encode(tokens);
    std::vector<float> watched(plain.size());
    reader.forward(tokens, watched, &whole);
    const bool free = watched == plain;
    CHECK(free);
    for (StateProbe* probe : {&pieces, &some}) {
      probe->prepare(tokens.size());
      reader.truncate(0);
      for (std::size_t t = 0; t < tokens.size(); t += 5)
        reader.forward(std::span(tokens).subspan(t, std::min<std::size_t>(5, tokens.size() - t)), {}, probe);
    }
    const bool same = std::ranges::equal(pieces.values(), whole.values());
    CHECK(same);

    const std::size_t width = whole.width(), entry = tokens.size() * width;
    REQUIRE(whole.values().size() == (model->info().layers + 1) * entry);
    const auto state = [&](std::size_t depth, std::size_t position) {
      return copy_of(whole.values().subspan(depth * entry + position * width, width));
    };
    std::vector<float> expected;
    for (const auto& [depth, position] : {std::pair<std::size_t, std::size_t>{1, 20}, {1, 3}, {0, 20}, {0, 3}})
      for (const float x : state(depth, position)) expected.push_back(x);
    CHECK(copy_of(some.values()) == expected);
    CHECK(state(0, 20) != state(1, 20));

    std::vector<float> lens(plain.size());
    read_out(reader.workspace(), whole.values().last(entry), lens);
    const bool says = lens == plain;
    CHECK(says);
    std::vector<float> normed = copy_of(whole.values().last(entry));
    apply_final_norm(reader.workspace(), normed);
    const bool changed = !std::ranges::equal(normed, whole.values().last(entry));
    CHECK(changed == !model->spec().decoder->stack.final_norm.empty());
  }
}

TEST_CASE("states that are not there are refused by name", "[runtime][states]") {
  const auto model = test::load_bytes(test::family_model("llama"));
  const auto bert = test::load_bytes(test::family_model("bert"));
  const auto layers = static_cast<std::int32_t>(model->info().layers);
  check_throws(ErrorCode::unsupported, "bert: does not generate text", [&] { StateProbe(*bert, {}); });
  check_throws(ErrorCode::invalid_argument, "layers: -2 is out of range", [&] { StateProbe(*model, {{-2}}); });
  check_throws(ErrorCode::invalid_argument, "layers: " + std::to_string(layers) + " is out of range",
               [&] { StateProbe(*model, {{layers}}); });
  check_throws(ErrorCode::invalid_argument, "layers: 0 is listed twice", [&] { StateProbe(*model, {{0, -1, 0}}); });
  StateProbe probe(*model, {{}, {2, 9}}), twice(*model, {{}, {2, 2}});
  check_throws(ErrorCode::invalid_argument, "positions: 9 is out of range", [&] { probe.prepare(9); });
  check_throws(ErrorCode::invalid_argument, "positions: 2 is listed twice", [&] { twice.prepare(9); });
}
