// Texts after reasoning against a definition that reads the whole text at once.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/after_thoughts.hpp"
#include "grammar/regular_language.hpp"

using namespace heed::grammar;

namespace {

constexpr const char* kAnswers = "yes|<no>|<<t| {3}";

bool is_answer(std::string_view text) { return text == "yes" || text == "<no>" || text == "<<t" || text == "   "; }

/// An answer after white space, of which as much as can be belongs to the answer.
bool follows_thoughts(std::string_view text) {
  if (is_answer(text)) return true;
  const std::size_t begin = text.find_first_not_of(" \n");
  const bool spaced = begin != std::string_view::npos && begin > 0 && begin <= 16 && text[0] != ' ';
  return spaced && text.substr(0, begin).find(' ') == std::string_view::npos && is_answer(text.substr(begin));
}

bool follows(std::string_view text, const Thoughts& thoughts) {
  if (!thoughts.begun) {
    if (is_answer(text)) return true;
    if (!text.starts_with(thoughts.open)) return false;
    text.remove_prefix(thoughts.open.size());
  }
  const std::size_t end = text.find(thoughts.close);
  return end != std::string_view::npos && follows_thoughts(text.substr(end + thoughts.close.size()));
}

}  // namespace

TEST_CASE("reasoning is free, and the answer after it is not", "[grammar]") {
  const std::vector<std::string> pieces = {"<<t>", "</t</t>", "</t>", "</", "t>", "yes", "<no>", "\n", "a", "<<t"};
  std::mt19937 random(1);
  for (const bool begun : {false, true}) {
    const Thoughts thoughts = {"<<t>", "</t</t>", begun};
    const auto language = make_language_after_thoughts(make_regular_language(kAnswers), thoughts);
    int accepted = 0;
    for (int i = 0; i < 200'000; ++i) {
      std::string text = begun || random() % 4 == 0 ? "" : thoughts.open;
      for (std::size_t left = random() % 6; left > 0; --left) text += pieces[random() % pieces.size()];
      if (random() % 2 == 0) text += thoughts.close + (random() % 2 == 0 ? "\n\n" : "") + (random() % 2 == 0 ? "yes" : "<no>");
      State state = language->start();
      for (const char byte : text)
        if (state != State::kDead) state = language->step(state, static_cast<unsigned char>(byte));
      const bool accepts = state != State::kDead && language->accepts(state);
      INFO((begun ? "begun: " : "") << text);
      REQUIRE(accepts == follows(text, thoughts));
      if (accepts) ++accepted;
    }
    CHECK(accepted > 10'000);
  }
}

TEST_CASE("reasoning cannot be left out where the prompt has begun it, nor end the text", "[grammar]") {
  const auto language = make_language_after_thoughts(make_regular_language("a"), {"<t>", "</t>", true});
  CHECK(language->step(language->start(), 'a') != State::kDead);
  CHECK_FALSE(language->accepts(language->step(language->start(), 'a')));
  const auto optional = make_language_after_thoughts(make_regular_language("a?"), {"<t>", "</t>"});
  CHECK(optional->accepts(optional->start()));
  CHECK(optional->step(optional->start(), 'b') == State::kDead);
}

TEST_CASE("white space after reasoning ends", "[grammar]") {
  const auto language = make_language_after_thoughts(make_regular_language("a"), {"<t>", "</t>", true});
  State state = language->start();
  for (const char byte : std::string_view("</t>")) state = language->step(state, static_cast<unsigned char>(byte));
  for (int i = 0; i < 16; ++i) state = language->step(state, '\n');
  REQUIRE(state != State::kDead);
  CHECK(language->step(state, '\n') == State::kDead);
  CHECK(language->accepts(language->step(state, 'a')));
}
