// The table of transitions against a map.
#include "grammar/transitions.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <random>
#include <utility>

using namespace heed::grammar;

TEST_CASE("transitions are found as they were added, however many there are", "[grammar]") {
  std::mt19937 random(5);
  Transitions transitions;
  std::map<std::pair<State, std::uint8_t>, State> expected;
  for (int i = 0; i < 20'000; ++i) {
    const auto from = static_cast<State>(1 + random() % 1000);
    const auto byte = static_cast<std::uint8_t>(random());
    const auto known = expected.find({from, byte});
    const auto found = transitions.find(from, byte);
    REQUIRE(found.has_value() == (known != expected.end()));
    if (found) {
      REQUIRE(*found == known->second);
      continue;
    }
    const auto to = static_cast<State>(random() % 1000);  // some are dead
    transitions.add(from, byte, to);
    expected.emplace(std::pair(from, byte), to);
  }
  for (const auto& [step, to] : expected) REQUIRE(transitions.find(step.first, step.second) == to);
}
