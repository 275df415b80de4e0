// The adapters that an engine keeps, and mean outputs of heads.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <utility>

#include "engine/engine.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/changes/random_adapter.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using engine::AdapterId;
using engine::Engine;
using test::check_throws;

TEST_CASE("an engine keeps adapters by number, and takes their bytes from those for texts", "[engine][adapters]") {
  Engine engine(test::load_bytes(test::family_model("llama")));
  const auto file = test::adapter_file("llama", test::random_factors(engine.model(), 2, 3), 2.0f);
  const engine::MemoryUse before = engine.memory();
  const AdapterId first = engine.add_adapter(file), second = engine.add_adapter(file);
  CHECK(std::pair(first, second) == std::pair(AdapterId(1), AdapterId(2)));
  const std::uint64_t bytes = engine.read_adapter(file)->factors.bytes();
  CHECK(engine.memory().bytes == before.bytes + 2 * bytes);
  CHECK(engine.memory().most_bytes == before.most_bytes);

  const std::vector<std::pair<AdapterId, float>> both = {{second, 0.5f}, {first, -1.0f}};
  const runtime::Changes changes = engine.changes(both, {{.layer = 0, .vector = std::vector<float>(engine.model().info().width)}});
  REQUIRE(changes.adapters.size() == 2);
  CHECK(changes.adapters[0].adapter != changes.adapters[1].adapter);
  CHECK(changes.adapters[1].scale == -1.0f);
  REQUIRE(changes.edits);
  CHECK(changes.edits->all().size() == 1);
  CHECK(engine.changes({}, {}).empty());
  for (const AdapterId none : {AdapterId(0), AdapterId(3), AdapterId(-1)})
    check_throws(ErrorCode::invalid_argument, "adapters: no adapter has this number",
                 [&] { engine.changes(std::vector<std::pair<AdapterId, float>>{{none, 1.0f}}, {}); });
}

TEST_CASE("an adapter that nothing reads by is removed", "[engine][adapters]") {
  Engine engine(test::load_bytes(test::family_model("llama")));
  const auto file = test::adapter_file("llama", test::random_factors(engine.model(), 2, 3), 2.0f);
  const auto tokens = test::some_tokens(6);
  const AdapterId id = engine.add_adapter(file), other = engine.add_adapter(file);
  const auto use = [&](AdapterId number) { return engine.changes(std::vector<std::pair<AdapterId, float>>{{number, 1.0f}}, {}); };
  const auto refuse = [&] { check_throws(ErrorCode::invalid_argument, "adapter: is in use", [&] { engine.remove_adapter(id); }); };
  {
    auto run = engine.read();
    run.change(use(id), tokens);
    run.forward(tokens, 1);
    refuse();
  }
  const auto adapted = [&] {
    runtime::GenerateOptions options;
    options.max_tokens = 2;
    options.changes = use(id);
    return options;
  };
  const engine::GenerationId generation = engine.begin({tokens, adapted()});
  engine.step();
  refuse();
  engine.abort(generation);
  while (engine.generates()) engine.step();
  const engine::SessionId session = engine.create_session();
  engine.begin({tokens, adapted(), session});
  while (engine.generates()) engine.step();
  refuse();
  engine.free_session(session);
  engine.remove_adapter(id);
  check_throws(ErrorCode::invalid_argument, "adapters: no adapter has this number", [&] { engine.remove_adapter(id); });
  check_throws(ErrorCode::invalid_argument, "adapters: no adapter has this number", [&] { use(id); });
  CHECK(use(other).adapters.size() == 1);
  const std::uint64_t before = engine.memory().bytes;
  engine.remove_adapter(other);
  CHECK(engine.memory().bytes == before - engine.read_adapter(file)->factors.bytes());
  CHECK(engine.add_adapter(file) == AdapterId(3));
}

TEST_CASE("adapters for which texts have no memory are refused, and the engine goes on", "[engine][adapters]") {
  runtime::LoadOptions options;
  options.context_length = 16;
  options.threads = 1;
  const std::uint64_t least = test::load_bytes(test::family_model("llama"), options)->info().memory_bytes;
  options.memory_limit = least + 4'000'000;
  Engine engine(test::load_bytes(test::family_model("llama"), options));
  const auto file = test::adapter_file("llama", test::random_factors(engine.model(), 8, 3), 2.0f);
  check_throws(ErrorCode::out_of_memory, "adapter: needs", [&] {
    for (int i = 0; i < 1000; ++i) engine.add_adapter(file);
  });
  CHECK(engine.memory().bytes <= engine.memory().most_bytes);
}

TEST_CASE("an adapter may displace cached prefixes, but not texts in use", "[engine][adapters]") {
  runtime::LoadOptions options;
  options.context_length = 512;
  options.threads = 1;
  const auto measured = test::load_bytes(test::family_model("llama", 512), options);
  options.memory_limit = measured->info().memory_bytes + measured->info().context_bytes;
  Engine engine(test::load_bytes(test::family_model("llama", 512), options));
  const auto file = test::adapter_file("llama", test::random_factors(engine.model(), 16, 3), 2.0f);
  const std::uint64_t bytes = engine.read_adapter(file)->factors.bytes();
  REQUIRE(bytes <= measured->info().context_bytes);
  const engine::SessionId session = engine.create_session();
  const auto write = [&](std::size_t tokens) {
    runtime::GenerateOptions generated;
    generated.max_tokens = 1;
    engine.begin({.prompt = test::some_tokens(tokens), .options = generated, .session = session});
    while (engine.generates()) engine.step();
  };
  write(500);
  const std::uint64_t full = engine.memory().bytes;
  check_throws(ErrorCode::out_of_memory, "adapter: needs", [&] { engine.add_adapter(file); });
  CHECK(engine.memory().bytes == full);
  engine.free_session(session);  // its text is a cached prefix now
  CHECK(engine.memory().bytes == full);
  engine.add_adapter(file);
  CHECK(engine.memory().bytes <= engine.memory().most_bytes);
  CHECK(engine.memory().bytes < full + bytes);
}
