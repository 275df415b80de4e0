// Every family as a file: loaded, run, inspected, truncated, damaged.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <thread>

#include "support/damage.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/reader.hpp"
#include "support/recorders.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using namespace heed::test;

namespace {

/// Encodes if there is an encoder, and processes if there is a decoder; returns all results.
std::vector<float> run(const Model& model, std::span<const TokenId> tokens, std::size_t batch) {
  test::Reader reader(model);
  std::vector<float> all;
  if (model.encoder()) {
    const auto hidden = reader.encode(tokens);
    all.assign(hidden.begin(), hidden.end());
  }
  for (std::size_t begin = 0; model.decoder() && begin < tokens.size(); begin += batch) {
    const auto part = tokens.subspan(begin, std::min(batch, tokens.size() - begin));
    std::vector<float> logits(part.size() * model.info().vocabulary);
    reader.forward(part, logits);
    all.insert(all.end(), logits.begin(), logits.end());
  }
  return all;
}

/// Logits of the last `rows` tokens, read by a new sequence.
std::vector<float> last_logits(const Model& model, std::span<const TokenId> tokens, std::size_t rows) {
  const std::vector<float> all = model_logits(model, tokens);
  return {all.end() - static_cast<std::ptrdiff_t>(rows * model.info().vocabulary), all.end()};
}

}  // namespace

TEST_CASE("a file of every family runs, in any batches, on any threads", "[runtime][families]") {
  const auto tokens = some_tokens(40);
  for (const std::string architecture : kArchitectures) {
    if (architecture == "vit") continue;  // reads no texts
    INFO(architecture);
    const auto file = family_model(architecture);
    LoadOptions options;
    const auto model = load_bytes(file, options);
    CHECK(model->info().architecture == architecture);
    CHECK(model->info().generates == (model->decoder() != nullptr));
    CHECK(model->info().embeds == (model->encoder() != nullptr));
    const std::vector<float> expected = run(*model, tokens, 128);
    CHECK(std::ranges::all_of(expected, [](float x) { return std::isfinite(x); }));
    options.threads = 3;
    const auto threaded = load_bytes(file, options);
    for (const std::size_t batch : {1u, 7u, 128u}) {
      const bool same = run(*threaded, tokens, batch) == expected;
      INFO("batches of " << batch);
      CHECK(same);
    }
  }
}

TEST_CASE("errors name what an encoder or a decoder does not support", "[runtime][families]") {
  const auto bert = load_bytes(family_model("bert")), llama = load_bytes(family_model("llama")),
             t5 = load_bytes(family_model("t5"));
  const auto tokens = some_tokens(5);
  test::Reader encoding(*bert), decoding(*llama), both(*t5);
  check_throws(ErrorCode::unsupported, "bert: does not generate text", [&] { encoding.forward(tokens, {}); });
  check_throws(ErrorCode::unsupported, "llama: has no encoder", [&] { decoding.encode(tokens); });
  check_throws(ErrorCode::invalid_argument, "tokens: no encoded text", [&] { both.forward(tokens, {}); });
  check_throws(ErrorCode::invalid_argument, "tokens: must have at least one token", [&] { both.encode({}); });
  check_throws(ErrorCode::context_overflow, "tokens: 65 tokens do not fit", [&] { both.encode(some_tokens(65)); });
  check_throws(ErrorCode::invalid_argument, "of: ", [&] { test::AttentionProbe(*llama, {}, {}, AttentionOf::cross); });
}

TEST_CASE("a decoder attends to the encoder, and encoding begins it anew", "[runtime][families]") {
  for (const std::string architecture : {"t5", "transformer"}) {
    const auto model = load_bytes(family_model(architecture));
    const auto source = some_tokens(30), target = some_tokens(9, 100);
    test::Reader reader(*model);
    test::AttentionProbe cross(reader.model(), {}, {}, AttentionOf::cross), encoder(reader.model(), {}, {}, AttentionOf::encoder);
    std::vector<float> first(320), second(320);
    CHECK(reader.encode(source, &encoder).size() == 30 * 32);
    CHECK(reader.encoder().embedding(0, {.pooling = Pooling::none}).size() == 30 * model->info().width);
    reader.forward(target, first, &cross);
    for (const test::AttentionProbe* probe : {&cross, &encoder}) {
      REQUIRE(probe->keys() == 30);
      for (std::size_t row = 0; row < probe->weights().size() / 30; ++row) {
        double sum = 0;
        for (const float weight : probe->weights().subspan(row * 30, 30)) sum += weight;
        CHECK(std::abs(sum - 1) < 1e-5);
      }
    }
    reader.encode(some_tokens(30, 7));
    CHECK(reader.tokens().empty());
    reader.forward(target, second);
    CHECK(first != second);
    reader.encode(source);
    reader.forward(target, second);
    CHECK(first == second);
  }
}

TEST_CASE("recording attention that does not run is rejected", "[runtime][families]") {
  for (const std::string architecture : {"t5", "clip"}) {
    const auto model = load_bytes(family_model(architecture));
    test::Reader reader(*model);
    const auto of = architecture == "t5" ? AttentionOf::decoder : AttentionOf::image;
    test::AttentionProbe other(reader.model(), {}, {}, of), right(reader.model(), {}, {}, AttentionOf::encoder);
    const auto tokens = some_tokens(9);
    check_throws(ErrorCode::invalid_argument, "recorder: ", [&] { reader.encode(tokens, &other); });
    CHECK_FALSE(reader.encode(tokens, &right).empty());
  }
}

TEST_CASE("a sequence goes back within its windows, or begins anew", "[runtime][families]") {
  for (const std::string architecture : {"gemma3", "gemma3n", "gemma4", "gpt-oss", "cohere2", "lfm2"}) {
    INFO(architecture);
    const auto model = load_bytes(family_model(architecture, 1100));
    test::Reader reader(*model);
    auto tokens = some_tokens(900);
    for (std::size_t i = 0; i < tokens.size(); i += 100) reader.forward(std::span(tokens).subspan(i, 100), {});
    for (const std::size_t length : {800u, 600u}) {
      reader.truncate(length);
      REQUIRE(reader.tokens().size() == length);
      tokens.resize(length);
      const auto more = some_tokens(50, 11);
      tokens.insert(tokens.end(), more.begin(), more.end());
      std::vector<float> logits(50 * 320);
      reader.forward(more, logits);
      const bool same = logits == last_logits(*model, tokens, 50);
      CHECK(same);
    }
    reader.truncate(100);
    CHECK(reader.tokens().empty());
    const auto again = some_tokens(60);
    std::vector<float> logits(60 * 320);
    reader.forward(again, logits);
    CHECK(logits == last_logits(*model, again, 60));
  }
}

TEST_CASE("a pass that is canceled half way spoils nothing that is gone back to", "[runtime][families]") {
  constexpr std::size_t kRead = 600, kBatch = 128;
  const auto model = load_bytes(family_model("gemma3", 1100));
  const auto tokens = some_tokens(kRead), others = some_tokens(kBatch, 5);
  for (int round = 0; round < 25; ++round) {
    test::Reader reader(*model);
    for (std::size_t i = 0; i < kRead; i += 100) reader.forward(std::span(tokens).subspan(i, 100), {});
    std::thread raising([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(40 * round));
      reader.interrupt() = true;
    });
    reader.forward(others, {});
    raising.join();
    reader.interrupt() = false;
    reader.truncate(120);  // the remainder of a ring of 512 places
    const std::size_t kept = reader.tokens().size();
    std::vector<float> logits(320);
    reader.forward(std::span(tokens).subspan(kept, 121 - kept), logits);
    INFO("round " << round << ", kept " << kept);
    const bool same = logits == last_logits(*model, std::span(tokens).first(121), 1);
    CHECK(same);
  }
}

TEST_CASE("a matrix of queries, keys and values does not take the place of one that also has gates",
          "[runtime][families][hostile]") {
  const Values values = values_of("qwen35");
  const std::vector<std::byte> file = file_of(spec_of(values), values, {}, {}, RandomWeights({.fused = true}));
  check_throws(ErrorCode::invalid_file, "attn_q.weight", [&] { load_bytes(file); });
}

TEST_CASE("damaged files of every family are errors or work", "[runtime][families][hostile]") {
  const auto tokens = some_tokens(6);
  DamageOutcomes outcomes;
  LoadOptions options;
  options.memory_limit = std::uint64_t{256} << 20;
  for (const std::string architecture : kArchitectures)
    use_damaged(family_model(architecture), architecture, 40, outcomes,
                [&](const std::vector<std::byte>& copy, std::size_t) { run(*load_bytes(copy, options), tokens, 4); });
  CHECK(outcomes.refused > 300);
  CHECK(outcomes.worked > 100);
}
