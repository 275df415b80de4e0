// Guesses change the time of a text, never the text.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "runtime/scheduler.hpp"
#include "runtime/speculation/lookup_guesser.hpp"
#include "runtime/speculation/worth.hpp"
#include "support/load.hpp"
#include "support/next_token.hpp"
#include "support/tiny_model.hpp"
#include "unit/runtime/chain_model.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::load_bytes;
using test::tiny_llama;

namespace {

std::vector<TokenId> ids(const std::vector<Guess>& guesses) {
  std::vector<TokenId> tokens;
  for (const Guess& guess : guesses) tokens.push_back(guess.id);
  return tokens;
}

LookupGuesser guesser_of(const std::vector<TokenId>& text) {
  LookupGuesser guesser;
  for (const TokenId id : text) guesser.accept(id);
  return guesser;
}

struct Written {
  std::vector<TokenId> tokens;
  std::string text;
  FinishReason reason{};
  Timings timings;
};

/// Generates with passes of equal cost, so that every guess pays.
Written write(const Model& model, const std::vector<TokenId>& prompt, const GenerateOptions& options) {
  Workspace workspace(model);
  for (std::size_t tokens = 1; tokens <= PassCosts::kMost; ++tokens) workspace.costs().record(tokens, 1e-9);
  Sequence sequence(workspace);
  Generation generation(sequence, prompt, options);
  Written written;
  while (const auto token = test::next_token(generation)) {
    written.text += token->text;
    for (std::size_t tokens = 1; tokens <= PassCosts::kMost; ++tokens) workspace.costs().record(tokens, 1e-9);
  }
  written.tokens.assign(generation.generated().begin(), generation.generated().end());
  written.reason = *generation.finish_reason();
  written.timings = generation.timings();
  // The sequence has processed a prefix of the text.
  const auto read = sequence.tokens(), text = generation.text();
  REQUIRE(read.size() <= text.size());
  CHECK(std::equal(read.begin(), read.end(), text.begin()));
  return written;
}

}  // namespace

TEST_CASE("guesses are the tokens that followed the same words earlier", "[runtime][speculation]") {
  CHECK(ids(guesser_of({1, 2, 3, 4, 5, 1, 2}).guess(3)) == std::vector<TokenId>{3, 4, 5});
  CHECK(ids(guesser_of({1, 2, 3, 4, 5, 1, 2}).guess(9)) == std::vector<TokenId>{3, 4, 5, 1, 2, 3, 4, 5, 1});  // and so on
  CHECK(ids(guesser_of({1, 2, 3, 9, 2, 3, 8, 7, 1, 2, 3}).guess(1)) == std::vector<TokenId>{9});              // the longer match
  CHECK(ids(guesser_of({1, 2, 3, 1, 2, 4, 1, 2}).guess(1)) == std::vector<TokenId>{4});                       // the later one
  CHECK(guesser_of({1, 2, 3, 4}).guess(3).empty());
  CHECK(guesser_of({}).guess(3).empty());
}

TEST_CASE("the more often guesses are right, the surer they are", "[runtime][speculation]") {
  std::vector<TokenId> text;
  for (int i = 0; i < 200; ++i) text.push_back(i % 5);
  CHECK(guesser_of(text).guess(1)[0].probability > 0.9);
  LookupGuesser wrong;
  for (int i = 0; i < 200; ++i)
    for (const TokenId id : {1, 2, 1000 + i}) wrong.accept(id);
  wrong.accept(1);
  wrong.accept(2);
  CHECK(wrong.guess(1)[0].probability < 0.1);
}

TEST_CASE("as many guesses are worth running as bring most tokens a second", "[runtime][speculation]") {
  PassCosts costs;
  std::vector<Guess> guesses(8, {1, 0.9});
  CHECK(worthwhile(guesses, 1, costs) == 0);  // nothing is known
  for (std::size_t tokens = 1; tokens <= PassCosts::kMost; ++tokens) costs.record(tokens, 1.0);
  CHECK(worthwhile(guesses, 1, costs) == 8);
  for (std::size_t tokens = 1; tokens <= PassCosts::kMost; ++tokens)
    for (int i = 0; i < 4; ++i) costs.record(tokens, static_cast<double>(tokens));
  CHECK(worthwhile(guesses, 1, costs) == 0);
  // four cost as much as two, so it takes all or none of these
  PassCosts steps;
  for (std::size_t tokens = 1; tokens <= PassCosts::kMost; ++tokens) steps.record(tokens, tokens == 1 ? 1 : tokens <= 4 ? 1.5 : 9);
  CHECK(worthwhile(guesses, 1, steps) == 3);
  CHECK(worthwhile(std::vector<Guess>(8, {1, 0.1}), 1, steps) == 0);
}

TEST_CASE("costs that are not known are taken from their neighbors, and forgotten after a while", "[runtime][speculation]") {
  PassCosts costs;
  CHECK(costs.of(3) == 0);
  costs.record(1, 1.0);
  CHECK(costs.of(2) > 1.0);
  CHECK(costs.of(2) < 1.5);
  costs.record(2, 5.0);
  CHECK(costs.of(2) == Catch::Approx(5.0));
  costs.record(5, 5.0);
  CHECK(costs.of(3) == Catch::Approx(5.0));
  CHECK(costs.of(4) < 1.5);  // a whole tile may be cheaper
  costs.record(4, 4.0);
  CHECK(costs.of(8) > 4.0);  // but not than fewer whole ones
  for (int i = 0; i < 600; ++i) costs.record(1, 1.0);
  CHECK(costs.of(2) < 1.5);
}

TEST_CASE("with guesses and without, a text is the same", "[runtime][speculation]") {
  std::size_t accepted = 0, guessed = 0;
  for (const std::string architecture : {"llama", "gemma3", "gpt2", "t5"}) {
    const auto model = test::load_bytes(test::family_model(architecture, 96));
    for (std::size_t i = 0; i < 40; ++i) {
      INFO(architecture << ", " << i);
      GenerateOptions options;
      options.max_tokens = 1 + i * 3 % 60;
      options.stop_at_end = i % 2 == 0;
      options.top_logprobs = i % 3;
      options.sampling.seed = i;
      options.sampling.temperature = i % 4 == 0 ? 0.0f : 0.8f;
      options.sampling.top_k = static_cast<std::uint32_t>(1 + i % 3);  // it repeats itself
      if (i % 5 == 1) options.sampling.presence_penalty = 0.01f;
      if (i % 6 == 1) options.stop = {"e", " t"};
      if (i % 7 == 1 && !model->encoder()) options.context_shift = 5;
      std::vector<TokenId> prompt;
      for (std::size_t t = 0; t < 20 + i; ++t) prompt.push_back(static_cast<TokenId>(3 + t % (4 + i % 7)));
      const Written with = write(*model, prompt, options);
      options.speculate = false;
      const Written without = write(*model, prompt, options);
      CHECK(with.tokens == without.tokens);
      CHECK(with.text == without.text);
      CHECK(with.reason == without.reason);
      CHECK(without.timings.guessed_tokens == 0);
      accepted += with.timings.accepted_tokens;
      guessed += with.timings.guessed_tokens;
    }
  }
  CHECK(guessed > accepted);  // both kinds were seen
  CHECK(accepted > 100);
}

TEST_CASE("tokens that end a text are not part of it", "[runtime][speculation]") {
  const auto model = test::load_bytes(test::chain_model({"a", "b", "c", "d"}, 200));
  GenerateOptions options;
  options.sampling.temperature = 0;
  options.max_tokens = 100;
  const Written whole = write(*model, {test::kChainBegin}, options);
  REQUIRE(whole.tokens.size() > 3);
  options.end_tokens = {whole.tokens[2], whole.tokens[1]};
  const Written ended = write(*model, {test::kChainBegin}, options);
  CHECK(ended.tokens == std::vector<TokenId>{whole.tokens[0]});
  options.stop_at_end = false;
  CHECK(write(*model, {test::kChainBegin}, options).tokens.size() >= whole.tokens.size());
}

TEST_CASE("guesses save passes where a text repeats itself", "[runtime][speculation]") {
  const auto model = test::load_bytes(test::chain_model({"a", "b", "c", "d"}, 200));
  GenerateOptions options;
  options.sampling.temperature = 0;
  options.stop_at_end = false;
  options.max_tokens = 100;
  const Written written = write(*model, {test::kChainBegin}, options);
  CHECK(written.tokens.size() == 100);
  CHECK(written.timings.accepted_tokens > 80);
}

TEST_CASE("expected tokens are guesses: right or wrong, the text is the same", "[runtime][speculation]") {
  const auto model = load_bytes(tiny_llama(DType::f32));
  const std::vector<TokenId> prompt = {1, 30, 259, 300};
  GenerateOptions options;
  options.max_tokens = 24;
  options.stop_at_end = false;
  options.sampling.seed = 7;
  const Written plain = write(*model, prompt, options);
  options.expected = plain.tokens;
  const Written expected = write(*model, prompt, options);
  CHECK(expected.tokens == plain.tokens);
  CHECK(expected.text == plain.text);
  CHECK(expected.timings.accepted_tokens >= 20);
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{5}, std::size_t{23}}) {
    options.expected = plain.tokens;
    options.expected[wrong] = options.expected[wrong] == 7 ? 8 : 7;
    CHECK(write(*model, prompt, options).tokens == plain.tokens);
  }
  for (const TokenId outside : {-1, 320, 1 << 30}) {  // from a damaged file
    options.expected = plain.tokens;
    options.expected[3] = outside;
    CHECK(write(*model, prompt, options).tokens == plain.tokens);
  }
  options.expected = plain.tokens;
  options.max_tokens = 10;
  CHECK(write(*model, prompt, options).tokens == std::vector<TokenId>(plain.tokens.begin(), plain.tokens.begin() + 10));
  options.speculate = false;
  CHECK(write(*model, prompt, options).timings.guessed_tokens == 0);
}

TEST_CASE("no guesses if attention is requested or state cannot be truncated", "[runtime][speculation]") {
  const std::vector<TokenId> prompt(40, 5);
  GenerateOptions options;
  options.sampling.temperature = 0;
  options.stop_at_end = false;
  options.max_tokens = 30;
  CHECK(write(*test::load_bytes(test::family_model("lfm2", 96)), prompt, options).timings.guessed_tokens == 0);
  options.attention = AttentionSelection{};
  CHECK(write(*test::load_bytes(test::family_model("llama", 96)), prompt, options).timings.guessed_tokens == 0);
}
