// Sequences: results that depend on nothing but the tokens, and errors that change nothing.
#include "runtime/sequence.hpp"

#include <catch2/catch_test_macros.hpp>

#include "kernels/dispatch.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/reader.hpp"
#include "support/tiny_model.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::check_throws;
using test::load_bytes;
using test::model_logits;
using test::some_tokens;
using test::tiny_llama;

TEST_CASE("logits depend neither on batches nor on threads nor on the target", "[runtime][sequence]") {
  const auto tokens = some_tokens(50);
  for (const DType dtype : {DType::f32, DType::q8_0, DType::q4_0}) {
    for (const KvType kv : {KvType::f32, KvType::f16, KvType::int16, KvType::q8, KvType::q4}) {
      const auto file = tiny_llama(dtype);
      LoadOptions options;
      options.kv_cache = kv;
      options.target = "scalar";
      const auto expected = model_logits(*load_bytes(file, options), tokens);
      for (const kernels::Kernels* target : kernels::available()) {
        for (const std::size_t threads : {1, 2, 3, 4}) {
          options.target = target->name;
          options.threads = threads;
          const auto model = load_bytes(file, options);
          for (const std::size_t batch : {1, 7, 50}) {
            INFO(info(dtype).name << ", " << to_string(kv) << ", " << target->name << ", " << threads << " threads, batches of "
                                  << batch);
            CHECK(model_logits(*model, tokens, batch) == expected);
          }
        }
      }
    }
  }
}

TEST_CASE("after truncation a sequence goes on as if it had never seen the rest", "[runtime][sequence]") {
  for (const KvType kv : {KvType::int16, KvType::q8, KvType::q4}) {
    LoadOptions options;
    options.kv_cache = kv;
    const auto model = load_bytes(tiny_llama(DType::q4_0), options);
    auto tokens = some_tokens(40);
    test::Reader reader(*model);
    reader.forward(tokens, {});
    for (const std::size_t kept : {39, 33, 32, 17, 16, 1, 0}) {
      reader.truncate(kept);
      CHECK(reader.tokens().size() == kept);
      for (std::size_t i = kept; i < tokens.size(); ++i) tokens[i] = (tokens[i] + 1) % 320;
      std::vector<float> logits((40 - kept) * 320);
      reader.forward(std::span(tokens).subspan(kept), logits);
      const auto expected = model_logits(*model, tokens);
      CHECK(logits == std::vector<float>(expected.end() - static_cast<std::ptrdiff_t>(logits.size()), expected.end()));
    }
    reader.truncate(100);
    CHECK(reader.tokens().size() == 40);
  }
}

TEST_CASE("a forward that is refused leaves the sequence as it was", "[runtime][sequence]") {
  const auto model = load_bytes(tiny_llama());
  const auto tokens = some_tokens(20);
  const auto expected = model_logits(*model, tokens);
  test::Reader reader(*model);
  CHECK(reader.sequence().context_length() == 64);
  reader.forward(std::span(tokens).first(10), {});

  const auto check_refused = [&](ErrorCode code, const std::string& message, std::vector<TokenId> batch, std::size_t floats) {
    std::vector<float> logits(floats, 7.0f);
    check_throws(code, message, [&] { reader.forward(batch, logits); });
    CHECK(reader.tokens().size() == 10);
    CHECK(logits == std::vector<float>(floats, 7.0f));
  };
  check_refused(ErrorCode::invalid_argument, "tokens: a batch must have from 1 to 128 tokens", {}, 0);
  check_refused(ErrorCode::invalid_argument, "tokens: a batch must have from 1 to 128 tokens", some_tokens(129), 0);
  check_refused(ErrorCode::context_overflow, "tokens: 65 tokens do not fit in a context of 64", some_tokens(55), 0);
  check_refused(ErrorCode::invalid_argument, "tokens: token 320 is outside the vocabulary of 320", {5, 320}, 0);
  check_refused(ErrorCode::invalid_argument, "tokens: token -1 is not in the vocabulary", {-1}, 0);
  check_refused(ErrorCode::invalid_argument, "logits: must have room for whole rows, at most one per token", {5}, 319);
  check_refused(ErrorCode::invalid_argument, "logits: must have room for whole rows, at most one per token", {5}, 640);

  std::vector<float> logits(320);
  CHECK(reader.forward(std::span(tokens).subspan(10), logits));
  CHECK(logits == std::vector<float>(expected.end() - 320, expected.end()));
}

TEST_CASE("a raised flag cancels a forward, which then never happened", "[runtime][sequence]") {
  const auto model = load_bytes(tiny_llama());
  const auto tokens = some_tokens(20);
  const auto expected = model_logits(*model, tokens);
  test::Reader reader(*model);
  reader.forward(std::span(tokens).first(10), {});
  reader.interrupt() = true;
  std::vector<float> logits(320);
  CHECK_FALSE(reader.forward(some_tokens(30), logits));
  CHECK(reader.interrupt());
  CHECK(reader.tokens().size() == 10);
  reader.interrupt() = false;
  CHECK(reader.forward(std::span(tokens).subspan(10), logits));
  CHECK(logits == std::vector<float>(expected.end() - 320, expected.end()));
}

TEST_CASE("a sequence can be filled to the last position", "[runtime][sequence]") {
  const auto model = load_bytes(tiny_llama());
  const auto tokens = some_tokens(64);
  test::Reader reader(*model);
  CHECK(reader.forward(tokens, {}));
  check_throws(ErrorCode::context_overflow, "65 tokens do not fit in a context of 64",
               [&] { reader.forward(std::vector<TokenId>{1}, {}); });
  CHECK(reader.tokens().size() == 64);
}

TEST_CASE("sequences of one model do not disturb each other", "[runtime][sequence]") {
  const auto model = load_bytes(tiny_llama());
  const auto tokens = some_tokens(30);
  const auto expected = model_logits(*model, tokens);
  test::Reader first(*model), second(*model);
  std::vector<float> logits(320);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    second.forward(std::vector<TokenId>{static_cast<TokenId>(319 - i)}, {});
    first.forward(std::span(tokens).subspan(i, 1), logits);
  }
  CHECK(logits == std::vector<float>(expected.end() - 320, expected.end()));
}

TEST_CASE("copies of a text whose last pass was interrupted go on by themselves", "[runtime][sequence]") {
  LoadOptions load;
  load.parallel = 2;
  const auto model = load_bytes(test::family_model("llama", 400), load);
  const std::size_t vocabulary = model->info().vocabulary;
  Workspace workspace(*model);
  Sequence text(workspace);
  for (const std::size_t seed : {0, 1}) REQUIRE(text.forward(some_tokens(100, seed), {}));
  workspace.interrupt() = true;
  REQUIRE_FALSE(text.forward(some_tokens(100, 2), {}));  // which would have begun another chunk of the cache
  workspace.interrupt() = false;
  Sequence copy = text;
  const auto one = some_tokens(60, 3), other = some_tokens(60, 4);
  std::vector<float> together(2 * vocabulary);
  const ForwardInput inputs[] = {{&text, one, 1}, {&copy, other, 1}};
  REQUIRE(forward(workspace, inputs, together));
  std::vector<float> alone;
  for (const auto& more : {one, other}) {
    Sequence whole(workspace);
    for (const std::size_t seed : {0, 1}) REQUIRE(whole.forward(some_tokens(100, seed), {}));
    std::vector<float> logits(vocabulary);
    REQUIRE(whole.forward(more, logits));
    alone.insert(alone.end(), logits.begin(), logits.end());
  }
  CHECK(together == alone);
}
