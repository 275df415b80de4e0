// What a row of weights is computed from (golden/attention_test.cpp compares it with the weights of every family).
#include "runtime/attention_parts.hpp"

#include <catch2/catch_test_macros.hpp>

#include "engine/engine.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
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
      run.watch_attention_parts(1, 1, 3, {}, announced, announced);
      run.forward(tokens, 0);
      return run.attention_parts();
    };
    const runtime::AttentionParts all = parts_of(20), few = parts_of(4);
    CHECK(few.weights == all.weights);
    CHECK(few.keys == all.keys);
    CHECK(all.weights.size() == all.end - all.begin);
    CHECK(all.end == 4);
    // A query that comes later than its pass announced sees keys beyond.
    auto run = engine.read();
    run.watch_attention_parts(1, 1, 19, {}, 20, 2);
    run.forward(tokens, 0);
    CHECK(run.attention_parts().end == 20);
  }
}

TEST_CASE("a query beyond the tokens has no parts", "[runtime][inspect]") {
  Engine engine(test::load_bytes(test::family_model("llama")));
  auto run = engine.read();
  test::check_throws(ErrorCode::invalid_argument, "query: 4 is out of range for 4 tokens",
                     [&] { run.watch_attention_parts(0, 0, 4, {}, 4, 4); });
}
