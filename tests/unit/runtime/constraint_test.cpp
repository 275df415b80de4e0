// Constrained generations, with models whose text is predetermined.
#include "sampling/constraint.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "unit/runtime/chain_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::chain_model;
using test::kChainBegin;
using test::kChainEnd;
using test::kChainFirst;

namespace {

/// Allows the texts of a list, token by token.
class OneOf final : public sampling::Constraint {
 public:
  OneOf(const tokenizer::Tokenizer& tokenizer, std::vector<std::vector<TokenId>> texts)
      : tokenizer_(tokenizer), texts_(std::move(texts)) {}

  sampling::TokenMask mask() override {
    mask_.assign(1, 0);
    for (const auto& text : texts_) {
      const TokenId next = text.size() > at_ ? text[at_] : kChainEnd;
      mask_[0] |= std::uint64_t{1} << next;
    }
    return mask_;
  }
  void accept(TokenId id) override {
    std::erase_if(texts_, [&](const auto& text) { return text.size() <= at_ || text[at_] != id; });
    ++at_;
    REQUIRE(!texts_.empty());
  }
  bool finished() override {
    return std::ranges::all_of(texts_, [&](const auto& text) { return text.size() == at_; });
  }
  std::string forced() override {
    if (texts_.size() > 1) return "";
    return tokenizer_.decode(std::span(texts_[0]).subspan(at_), {});
  }

 private:
  const tokenizer::Tokenizer& tokenizer_;
  std::vector<std::vector<TokenId>> texts_;
  std::size_t at_ = 0;
  std::vector<std::uint64_t> mask_;
};

struct Refusing final : sampling::Constraint {
  [[noreturn]] static void refuse() { throw Error(ErrorCode::unsupported, "costs too much", "constraint"); }
  sampling::TokenMask mask() override { refuse(); }
  void accept(TokenId) override { refuse(); }
  bool finished() override { refuse(); }
  std::string forced() override { refuse(); }
};

struct Exhausting final : sampling::Constraint {
  sampling::TokenMask mask() override { throw std::bad_alloc(); }
  void accept(TokenId) override {}
  bool finished() override { return false; }
  std::string forced() override { return ""; }
};

struct Outcome {
  std::string text;
  std::vector<TokenId> ids;
  std::optional<engine::Ended> ended;
  std::optional<Error> error;
};

/// The outcome of each generation.
std::vector<Outcome> run(engine::Engine& engine, std::size_t generations) {
  std::vector<Outcome> outcomes(generations);
  while (engine.generates())
    for (const engine::Event& event : engine.step()) {
      Outcome& outcome = outcomes.at(static_cast<std::size_t>(event.id) - 1);
      if (event.token) {
        outcome.text += event.token->text;
        outcome.ids.push_back(event.token->id);
      }
      if (event.ended) outcome.ended = event.ended;
      if (event.error) outcome.error = event.error;
    }
  return outcomes;
}

GenerateOptions greedily() {
  GenerateOptions options;
  options.sampling.temperature = 0;
  return options;
}

const std::vector<std::string> kChainPieces = {"a", "b", "c", "d", "e"};
constexpr TokenId kA = kChainFirst, kB = kA + 1, kC = kA + 2, kD = kA + 3, kE = kA + 4;

std::unique_ptr<OneOf> one_of(const engine::Engine& engine, std::vector<std::vector<TokenId>> texts) {
  return std::make_unique<OneOf>(engine.model().tokenizer(), std::move(texts));
}

Outcome write_one_of(std::vector<std::vector<TokenId>> texts, const GenerateOptions& options = greedily()) {
  engine::Engine engine(test::load_bytes(chain_model(kChainPieces)));
  engine.begin({{kChainBegin}, options}, one_of(engine, std::move(texts)));
  return run(engine, 1)[0];
}

}  // namespace

TEST_CASE("the model chooses among what a constraint allows", "[runtime][constraint]") {
  const Outcome outcome = write_one_of({{kB, kA}, {kA, kB, kE}, {kA, kC, kE}});  // left alone, it writes abcde
  CHECK(outcome.text == "abe");
  REQUIRE(outcome.ended);
  CHECK(outcome.ended->reason == FinishReason::stop);
  CHECK(!outcome.ended->end_token);  // nothing could follow, so no token was requested
}

TEST_CASE("where a text may end or go on, the model says", "[runtime][constraint]") {
  CHECK(write_one_of({{kA, kB}, {kA, kB, kC}}).text == "abc");
  const Outcome ended = write_one_of({{kD, kE}, {kD, kE, kB}});  // after e, it would end
  CHECK(ended.text == "de");
  CHECK(ended.ended->end_token == kChainEnd);
}

TEST_CASE("log-probabilities are the model's own", "[runtime][constraint]") {
  engine::Engine engine(test::load_bytes(chain_model(kChainPieces)));
  auto options = greedily();
  options.top_logprobs = 1;
  engine.begin({{kChainBegin}, options}, one_of(engine, {{kC}}));
  bool seen = false;
  while (engine.generates())
    for (const engine::Event& event : engine.step())
      if (event.token) {
        seen = true;
        CHECK(event.token->id == kC);
        CHECK(event.token->logprob < -1);
        REQUIRE(event.token->alternatives.size() == 1);
        CHECK(event.token->alternatives[0].id == kA);
      }
  CHECK(seen);
}

TEST_CASE("text that is forced is guessed, and changes nothing", "[runtime][constraint][speculation]") {
  const std::vector<TokenId> text = {kE, kD, kC, kB, kA, kA, kB, kE, kD, kD};
  auto options = greedily();
  options.speculate = false;
  const Outcome plain = write_one_of({text}, options);
  CHECK(plain.text == "edcbaabedd");
  CHECK(plain.ended->timings.guessed_tokens == 0);

  engine::Engine engine(test::load_bytes(chain_model(kChainPieces)));
  engine.begin({{kChainBegin}, greedily()}, one_of(engine, {text}));
  const Outcome guessed = run(engine, 1)[0];
  CHECK(guessed.ids == plain.ids);
  CHECK(guessed.ended->timings.guessed_tokens > 0);
  CHECK(guessed.ended->timings.accepted_tokens == guessed.ended->timings.guessed_tokens);
}

TEST_CASE("a constraint that fails ends its own text only", "[runtime][constraint]") {
  engine::Engine engine(test::load_bytes(chain_model(kChainPieces)));
  engine.begin({{kChainBegin}, greedily()}, std::make_unique<Refusing>());
  engine.begin({{kChainBegin}, greedily()});
  const auto outcomes = run(engine, 2);
  REQUIRE(outcomes[0].error);
  CHECK(outcomes[0].error->code() == ErrorCode::unsupported);
  CHECK(!outcomes[0].ended);
  CHECK(outcomes[1].text == "abcde");
  engine.begin({{kChainBegin}, greedily()}, one_of(engine, {{kB}}));
  while (engine.generates()) engine.step();
}

TEST_CASE("a text for whose next token there is no memory ends alone", "[runtime][constraint]") {
  engine::Engine engine(test::load_bytes(chain_model(kChainPieces)));
  engine.begin({{kChainBegin}, greedily()}, std::make_unique<Exhausting>());
  engine.begin({{kChainBegin}, greedily()});
  const auto outcomes = run(engine, 2);
  REQUIRE(outcomes[0].error);
  CHECK(outcomes[0].error->code() == ErrorCode::out_of_memory);
  CHECK(outcomes[1].text == "abcde");
}

TEST_CASE("beside a constraint, end tokens end", "[runtime][constraint]") {
  auto options = greedily();
  options.stop_at_end = false;
  test::check_throws(ErrorCode::invalid_argument, "stop_at_end", [&] { write_one_of({{kA}}, options); });
}
