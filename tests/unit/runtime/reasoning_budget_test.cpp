// Reasoning that ends after a number of tokens, with models whose text is known beforehand.
#include "runtime/reasoning_budget.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "unit/runtime/chain_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::chain_model;
using test::check_throws;
using test::kChainBegin;
using test::kChainFirst;

namespace {

const std::vector<std::string> kPieces = {"[", "a", "b", "c", "]", "x", "y"};  // left alone, the model writes [abc]xy
constexpr TokenId kOpen = kChainFirst, kClose = kChainFirst + 4, kY = kChainFirst + 6;

ReasoningBudget budget(std::size_t most, std::vector<TokenId> ending = {kClose}) {
  return {.open = "[", .closes = {"]"}, .max_tokens = most, .ending = std::move(ending)};
}

std::string write(const ReasoningBudget& budget, const std::vector<std::string>& pieces = kPieces,
                  std::vector<TokenId> prompt = {kChainBegin}, bool speculate = true) {
  engine::Engine engine(test::load_bytes(chain_model(pieces)));
  GenerateOptions options;
  options.sampling.temperature = 0;
  options.speculate = speculate;
  options.reasoning = budget;
  engine.begin({std::move(prompt), options});
  std::string text;
  while (engine.generates())
    for (const engine::Event& event : engine.step())
      if (event.token) text += event.token->text;
  return text;
}

}  // namespace

TEST_CASE("reasoning ends when its budget is spent", "[runtime][reasoning]") {
  for (const bool speculate : {false, true}) {
    CHECK(write(budget(0), kPieces, {kChainBegin}, speculate) == "[]xy");
    CHECK(write(budget(2), kPieces, {kChainBegin}, speculate) == "[ab]xy");
    CHECK(write(budget(3), kPieces, {kChainBegin}, speculate) == "[abc]xy");
    CHECK(write(budget(9), kPieces, {kChainBegin}, speculate) == "[abc]xy");
    CHECK(write(budget(1, {kY, kY, kClose}), kPieces, {kChainBegin}, speculate) == "[ayy]xy");
  }
}

TEST_CASE("reasoning may have begun in the prompt, and then needs no marker", "[runtime][reasoning]") {
  ReasoningBudget begun = budget(2);
  CHECK(write(begun, kPieces, {kChainBegin, kOpen}) == "abc]xy");
  begun.begun = true;
  CHECK(write(begun, kPieces, {kChainBegin, kOpen}) == "ab]xy");
}

TEST_CASE("a marker that is text opens reasoning only at the beginning", "[runtime][reasoning]") {
  CHECK(write(budget(1), {"x", "[", "a", "b", "]"}) == "x[ab]");
  CHECK(write(budget(1, {kChainFirst + 4}), {" ", "[", "a", "b", "]"}) == " [a]");
}

TEST_CASE("a marker of several tokens is found across them", "[runtime][reasoning]") {
  ReasoningBudget long_markers = budget(1, {kChainFirst + 4, kChainFirst + 5});
  long_markers.open = "<t>";
  long_markers.closes = {"</t>"};
  CHECK(write(long_markers, {"<t", ">", "a", "b", "</", "t>", "x"}) == "<t>a</t>x");
  long_markers.ending = {kChainFirst + 3, kChainFirst + 4};
  CHECK(write(long_markers, {"<t", ">", "a", "</", "t>", "b", "x"}) == "<t>a</t>bx");
}

TEST_CASE("a character is not cut where reasoning ends", "[runtime][reasoning]") {
  CHECK(write(budget(1, {kChainFirst + 3}), {"[", "<0xC3>", "<0xA9>", "]", "x"}) == "[\u00e9]x");
}

TEST_CASE("a marker that is a control token is that token alone", "[runtime][reasoning]") {
  ReasoningBudget control = budget(1, {test::kChainEnd});
  control.open = "<s>";
  control.closes = {"</s>"};
  control.begun = true;
  CHECK(write(control, {"a", "<", "/", "s", ">", "b"}) == "a");  // its ending is the model's end token, too
  control.max_tokens = 5;
  CHECK(write(control, {"a", "<", "/", "s", ">", "b"}) == "a</s>");
}

TEST_CASE("a budget without markers or an ending is refused", "[runtime][reasoning]") {
  ReasoningBudget wrong = budget(1, {});
  check_throws(ErrorCode::invalid_argument, "reasoning", [&] { write(wrong); });
  wrong = budget(1);
  wrong.open = "";
  check_throws(ErrorCode::invalid_argument, "reasoning", [&] { write(wrong); });
}
