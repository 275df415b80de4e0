#include <catch2/catch_test_macros.hpp>

#include "grammar/budget.hpp"
#include "grammar/gbnf/gbnf.hpp"
#include "grammar/refusal.hpp"

using namespace heed::grammar;

TEST_CASE("a spent budget refuses steps until it is refilled", "[grammar]") {
  Budget budget(100);
  budget.spend(60);
  CHECK_THROWS_AS(budget.spend(41), Refusal);
  CHECK(budget.left() == 40);
  budget.refill();
  CHECK_NOTHROW(budget.spend(100));
  CHECK_THROWS_AS(budget.spend(), Refusal);
}

TEST_CASE("a language stays usable after its budget is spent", "[grammar]") {
  const auto language = make_gbnf_language("root ::= s \"b\"\ns ::= s s | \"a\" | \"\"");
  const State first = language->step(language->start(), 'a');
  State state = first;
  try {
    for (;;) state = language->step(state, 'a'), language->budget().spend(1'000'000);
  } catch (const Refusal& refusal) {
    CHECK(refusal.code == "too-large");
  }
  language->budget().refill();
  CHECK(language->accepts(language->step(language->step(first, 'a'), 'b')));
}
