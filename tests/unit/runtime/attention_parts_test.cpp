// The inputs of a row of weights (golden/attention_test.cpp compares them with the weights of every family).
#include "runtime/requests.hpp"

#include <catch2/catch_test_macros.hpp>

#include "engine/engine.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/recorders.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using engine::Engine;

TEST_CASE("the parts of a query's weights are the same however many tokens were announced", "[runtime][inspect]") {
  const auto tokens = test::some_tokens(20);
  for (const char* architecture : {"llama", "gemma3", "gpt-oss"}) {
    INFO(architecture);
    Engine engine(test::load_bytes(test::family_model(architecture)));
    const auto parts_of = [&](std::size_t announced) {
      auto run = engine.read();
      run.watch(runtime::parts_requests(engine.model(), 1, 1, 3), announced);
      run.forward(tokens, 0);
      return test::parts_of(*run.recorded());
    };
    const test::AttentionParts all = parts_of(20), few = parts_of(4);
    CHECK(few.weights == all.weights);
    CHECK(few.keys == all.keys);
    CHECK(all.weights.size() == all.end - all.begin);
    CHECK(all.end == 4);
    // A query that comes later than its pass announced sees keys beyond.
    auto run = engine.read();
    run.watch(runtime::parts_requests(engine.model(), 1, 1, 19), 20);
    run.forward(tokens, 0);
    CHECK(test::parts_of(*run.recorded()).end == 20);
  }
}

TEST_CASE("a query beyond the tokens has no parts", "[runtime][inspect]") {
  Engine engine(test::load_bytes(test::family_model("llama")));
  auto run = engine.read();
  test::check_throws(ErrorCode::invalid_argument, "positions: 4 is out of range",
                     [&] { run.watch(runtime::parts_requests(engine.model(), 0, 0, 4), 4); });
}
