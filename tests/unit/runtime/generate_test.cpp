// Generation, step by step, with models whose text is predetermined.
#include "runtime/generate.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "runtime/scheduler.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/next_token.hpp"
#include "support/reader.hpp"
#include "support/tiny_model.hpp"
#include "unit/runtime/chain_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::chain_model;
using test::check_throws;
using test::kChainBegin;
using test::kChainFirst;

namespace {

GenerateOptions greedy() {
  GenerateOptions options;
  options.sampling.temperature = 0;
  return options;
}

struct Finished {
  std::vector<std::string> texts;  // of each token
  FinishReason reason{};

  std::string text() const { return std::accumulate(texts.begin(), texts.end(), std::string()); }
};

Finished finish(Generation& generation) {
  Finished outcome;
  while (const auto token = test::next_token(generation)) outcome.texts.push_back(token->text);
  outcome.reason = *generation.finish_reason();
  return outcome;
}

Finished generate(const std::vector<std::string>& pieces, const GenerateOptions& options, std::uint32_t context = 64) {
  const auto model = test::load_bytes(chain_model(pieces, context));
  test::Reader reader(*model);
  Generation generation(reader.sequence(), {kChainBegin}, options);
  return finish(generation);
}

GenerateOptions stopping_at(std::vector<std::string> stop) {
  GenerateOptions options = greedy();
  options.stop = std::move(stop);
  return options;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("generation ends at an end-of-generation token, which is no text", "[runtime][generate]") {
  const Finished outcome = generate({"a", "b", "c"}, greedy());
  CHECK(outcome.texts == Texts{"a", "b", "c"});
  CHECK(outcome.reason == FinishReason::stop);
}

TEST_CASE("generation says which token ended it", "[runtime][generate]") {
  const auto model = test::load_bytes(chain_model({"a", "b"}));
  test::Reader reader(*model);
  GenerateOptions options = greedy();
  const auto end_of = [&] {
    Generation generation(reader.sequence(), {kChainBegin}, options);
    finish(generation);
    return generation.end_token();
  };
  CHECK(end_of() == test::kChainEnd);
  options.stop = {"b"};
  CHECK_FALSE(end_of());
  options.stop.clear();
  options.max_tokens = 1;
  CHECK_FALSE(end_of());
}

TEST_CASE("control tokens are shown where asked to, and stop strings found in them", "[runtime][generate]") {
  GenerateOptions options = greedy();
  options.stop_at_end = false;
  options.max_tokens = 4;
  CHECK(generate({"a", "b"}, options).text() == "aba");
  options.special = true;
  CHECK(generate({"a", "b"}, options).text() == "ab</s>a");
  options.stop = {"b</"};
  CHECK(generate({"a", "b"}, options).text() == "a");
}

TEST_CASE("generation goes on past an end-of-generation token where asked to", "[runtime][generate]") {
  GenerateOptions options = greedy();
  options.stop_at_end = false;
  options.max_tokens = 6;
  const Finished outcome = generate({"a", "b", "c"}, options);
  CHECK(outcome.text() == "abcab");
  CHECK(outcome.texts.size() == 6);
  CHECK(outcome.reason == FinishReason::length);
}

TEST_CASE("generation ends after max_tokens", "[runtime][generate]") {
  GenerateOptions options = greedy();
  for (const std::size_t most : {0, 1, 2}) {
    options.max_tokens = most;
    const Finished outcome = generate({"a", "b", "c"}, options);
    CHECK(outcome.text() == std::string("ab").substr(0, most));
    CHECK(outcome.reason == FinishReason::length);
  }
}

TEST_CASE("generation ends where the context is full", "[runtime][generate]") {
  const Finished outcome = generate({"a", "b", "c", "d", "e"}, greedy(), 3);
  CHECK(outcome.text() == "abc");  // the last one needs no room
  CHECK(outcome.reason == FinishReason::context);
}

TEST_CASE("a stop string ends generation before it, however tokens cut it", "[runtime][generate]") {
  const Texts pieces = {"He", "llo wo", "rld", "!"};
  Finished outcome = generate(pieces, stopping_at({"o world"}));
  CHECK(outcome.texts == Texts{"He", "ll", ""});
  CHECK(outcome.reason == FinishReason::stop);

  outcome = generate(pieces, stopping_at({"l"}));
  CHECK(outcome.text() == "He");
  outcome = generate(pieces, stopping_at({"He"}));
  CHECK(outcome.text().empty());
  CHECK(outcome.texts.size() == 1);
  outcome = generate(pieces, stopping_at({"!"}));
  CHECK(outcome.text() == "Hello world");
  CHECK(outcome.reason == FinishReason::stop);
}

TEST_CASE("text that only began like a stop string comes later", "[runtime][generate]") {
  const Texts pieces = {"He", "llo wo", "rld", "!"};
  Finished outcome = generate(pieces, stopping_at({"world?"}));
  CHECK(outcome.texts == Texts{"He", "llo ", "", "world!"});

  outcome = generate(pieces, stopping_at({"!?"}));
  CHECK(outcome.texts == Texts{"He", "llo wo", "rld", "!"});
  CHECK(outcome.reason == FinishReason::stop);

  outcome = generate({"aab", "c"}, stopping_at({"aabaa", "abd"}));
  CHECK(outcome.text() == "aabc");
}

TEST_CASE("a token waits while text is held back, for its successor or for the end", "[runtime][generate]") {
  const auto model = test::load_bytes(chain_model({"a", "b", "<0xE2>", "<0x82>", "c", "xb"}));
  test::Reader reader(*model);
  GenerateOptions options = stopping_at({"bc"});
  Generation generation(reader.sequence(), {kChainBegin}, options);
  Generation* const self = &generation;
  std::vector<Texts> shown;  // after each pass
  while (!generation.ended()) {
    REQUIRE(run_together(reader.workspace(), {&self, 1}));
    shown.emplace_back();
    while (const auto token = generation.pop_token()) shown.back().push_back(token->text);
  }
  CHECK(shown == std::vector<Texts>{{"a"}, {}, {""}, {""}, {"", "b\ufffdc"}, {}, {"xb"}});
}

TEST_CASE("of several stop strings the first in the text counts", "[runtime][generate]") {
  const Texts pieces = {"one", " two", " three"};
  CHECK(generate(pieces, stopping_at({"three", "two"})).text() == "one ");
  CHECK(generate(pieces, stopping_at({"ne two three", "wo"})).text() == "one t");
  CHECK(generate(pieces, stopping_at({"two", "e t"})).text() == "on");
  CHECK(generate(pieces, stopping_at({"e t", "two"})).text() == "on");
}

TEST_CASE("text is whole UTF-8, whatever bytes the tokens are", "[runtime][generate]") {
  Finished outcome = generate({"a", "<0xE2>", "<0x82>", "<0xAC>", "b"}, greedy());
  CHECK(outcome.texts == Texts{"a", "", "", "\u20ac", "b"});

  outcome = generate({"a", "<0xE2>", "<0x82>"}, greedy());
  CHECK(outcome.texts == Texts{"a", "", "\ufffd"});

  outcome = generate({"a", "<0xE2>", "<0x82>", "<0xAC>", "b"}, stopping_at({"\u20acb"}));
  CHECK(outcome.text() == "a");
  CHECK(outcome.reason == FinishReason::stop);
}

TEST_CASE("text held for a stop string comes before bytes held for UTF-8", "[runtime][generate]") {
  const Finished outcome = generate({"a", "x", "<0xE2>"}, stopping_at({"xyz"}));
  CHECK(outcome.texts == Texts{"a", "", "x\ufffd"});
}

TEST_CASE("a raised flag ends generation with abort, and the sequence stays usable", "[runtime][generate]") {
  const auto model = test::load_bytes(chain_model({"a", "b", "c", "d"}));
  test::Reader reader(*model);
  {
    Generation generation(reader.sequence(), {kChainBegin}, greedy());
    CHECK(test::next_token(generation));
    reader.interrupt() = true;
    CHECK_FALSE(test::next_token(generation));
    CHECK(generation.finish_reason() == FinishReason::abort);
    CHECK_FALSE(test::next_token(generation));
  }
  {
    Generation generation(reader.sequence(), {kChainBegin, kChainFirst}, greedy());
    CHECK_FALSE(test::next_token(generation));
    CHECK(generation.finish_reason() == FinishReason::abort);
  }
  reader.interrupt() = false;
  Generation generation(reader.sequence(), {kChainBegin}, greedy());
  CHECK(finish(generation).text() == "abcd");
}

TEST_CASE("a prompt is read in several passes, and its cached prefix is reused", "[runtime][generate]") {
  const auto model = test::load_bytes(chain_model({"a", "b", "c", "d"}, 300));
  test::Reader reader(*model);
  std::vector<TokenId> prompt(150, kChainBegin);
  GenerateOptions options = greedy();
  options.max_tokens = 1;
  {
    Generation generation(reader.sequence(), prompt, options);
    Generation* const self = &generation;
    for (const std::size_t done : {128, 150}) {
      REQUIRE(run_together(reader.workspace(), {&self, 1}));
      CHECK(reader.tokens().size() == done);
    }
    CHECK(generation.ended());
    CHECK(generation.timings().prompt_tokens == 150);
    CHECK(generation.timings().reused_tokens == 0);
    CHECK(generation.timings().generated_tokens == 1);
  }
  prompt[140] = kChainFirst;
  {
    Generation generation(reader.sequence(), prompt, options);
    CHECK(generation.timings().reused_tokens == 140);
    CHECK(finish(generation).text() == "a");
  }
  Generation generation(reader.sequence(), prompt, options);
  CHECK(generation.timings().reused_tokens == 149);  // the last one is run again, for its logits
  CHECK(finish(generation).text() == "a");
}

TEST_CASE("prompts and options out of range are refused, and change nothing", "[runtime][generate]") {
  const auto model = test::load_bytes(chain_model({"a", "b"}, 4));
  test::Reader reader(*model);
  reader.forward(std::vector<TokenId>{kChainBegin}, {});
  const auto check_refused = [&](ErrorCode code, const std::string& message, std::vector<TokenId> prompt,
                                 const GenerateOptions& options) {
    check_throws(code, message, [&] { const Generation generation(reader.sequence(), std::move(prompt), options); });
    CHECK(reader.tokens().size() == 1);
  };
  check_refused(ErrorCode::invalid_argument, "prompt: must have at least one token", {}, greedy());
  check_refused(ErrorCode::context_overflow, "prompt: has 5 tokens, but the context has room for 4", {1, 1, 1, 1, 1}, greedy());
  check_refused(ErrorCode::invalid_argument, "token 5 is not in the vocabulary", {5}, greedy());
  check_refused(ErrorCode::invalid_argument, "token -1 is not in the vocabulary", {-1}, greedy());
  check_refused(ErrorCode::invalid_argument, "stop: a stop string must not be empty", {1}, stopping_at({"x", ""}));
  GenerateOptions options = greedy();
  options.attention = AttentionSelection{{1}, {}};
  check_refused(ErrorCode::invalid_argument, "layers: 1 is out of range: the model has 1 layers", {1}, options);
  options = greedy();
  options.sampling.temperature = -1;
  check_refused(ErrorCode::invalid_argument, "temperature", {1}, options);
}

TEST_CASE("log-probabilities are the model's own", "[runtime][generate]") {
  const auto model = test::load_bytes(test::tiny_llama());
  const std::vector<TokenId> prompt = {1, 40, 50};
  const auto logits = test::model_logits(*model, prompt);
  const std::size_t vocabulary = model->info().vocabulary;
  const std::span last = std::span(logits).last(vocabulary);
  double sum = 0;
  for (const float logit : last) sum += std::exp(logit);

  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{5}, vocabulary, vocabulary + 5}) {
    test::Reader reader(*model);
    GenerateOptions options;
    options.sampling.temperature = 3;
    options.sampling.seed = 7;
    options.top_logprobs = most;
    options.stop_at_end = false;
    Generation generation(reader.sequence(), prompt, options);
    const GeneratedToken token = test::next_token(generation).value();
    const auto exact = [&](TokenId id) { return last[static_cast<std::size_t>(id)] - std::log(sum); };
    CHECK(std::abs(token.logprob - exact(token.id)) < 1e-5);
    REQUIRE(token.alternatives.size() == std::min(most, vocabulary));
    double total = 0;
    for (std::size_t i = 0; i < token.alternatives.size(); ++i) {
      CHECK(std::abs(token.alternatives[i].logprob - exact(token.alternatives[i].id)) < 1e-5);
      if (i > 0) CHECK(token.alternatives[i].logprob <= token.alternatives[i - 1].logprob);
      total += std::exp(token.alternatives[i].logprob);
    }
    if (most >= vocabulary) CHECK(std::abs(total - 1) < 1e-5);
  }
}

TEST_CASE("a seed gives one text, whatever the number of threads", "[runtime][generate]") {
  const auto file = test::tiny_llama(DType::q4_0);
  const auto tokens = [&](std::uint64_t seed, std::size_t threads) {
    LoadOptions load;
    load.threads = threads;
    const auto model = test::load_bytes(file, load);
    test::Reader reader(*model);
    GenerateOptions options;
    options.sampling.temperature = 1.5f;
    options.sampling.top_k = 0;
    options.sampling.seed = seed;
    options.max_tokens = 40;
    options.stop_at_end = false;
    Generation generation(reader.sequence(), {1, 30, 31}, options);
    finish(generation);
    return std::vector<TokenId>(generation.generated().begin(), generation.generated().end());
  };
  const auto first = tokens(1, 1);
  CHECK(first.size() == 40);
  for (const std::size_t threads : {1, 2, 4}) CHECK(tokens(1, threads) == first);
  CHECK(tokens(2, 1) != first);
}

TEST_CASE("each token comes with its predecessor's attention, if requested", "[runtime][generate]") {
  const auto model = test::load_bytes(test::tiny_llama());
  const std::vector<TokenId> prompt(60, 33);
  test::Reader reader(*model), plain(*model);
  const auto check_weights = [&](test::Reader& used) {
    GenerateOptions options = greedy();
    options.attention = AttentionSelection{{1}, {0, 3}};
    options.max_tokens = 3;
    options.stop_at_end = false;
    Generation generation(used.sequence(), prompt, options);
    std::size_t keys = prompt.size();
    while (const auto token = test::next_token(generation)) {
      CHECK(token->attention_keys == keys);
      REQUIRE(token->attention.size() == 2 * keys);
      for (std::size_t head = 0; head < 2; ++head) {
        const auto begin = token->attention.begin() + static_cast<std::ptrdiff_t>(head * keys);
        CHECK(std::abs(std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(keys), 0.0) - 1) < 1e-5);
      }
      ++keys;
    }
    CHECK(keys == 63);
    return std::vector<TokenId>(generation.generated().begin(), generation.generated().end());
  };
  const auto watched = check_weights(reader);
  CHECK(check_weights(reader) == watched);  // the prompt's last token alone is run again

  GenerateOptions options = greedy();
  options.max_tokens = 3;
  options.stop_at_end = false;
  Generation generation(plain.sequence(), prompt, options);
  finish(generation);
  CHECK(std::vector<TokenId>(generation.generated().begin(), generation.generated().end()) == watched);
}
