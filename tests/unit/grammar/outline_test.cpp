// Compares outlines with a reference that reads whole texts, and their masks with brute force.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/constraint.hpp"
#include "grammar/outline/outline.hpp"
#include "grammar/refusal.hpp"
#include "grammar/regular_language.hpp"
#include "grammar/schema/json.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using namespace heed::grammar;
using Ends = std::set<std::size_t>;

namespace {

State read_text(Language& language, std::string_view text) {
  State state = language.start();
  for (const char byte : text)
    if (state != State::kDead) state = language.step(state, static_cast<unsigned char>(byte));
  return state;
}

bool is_of(Language& language, std::string_view text) {
  const State state = read_text(language, text);
  return state != State::kDead && language.accepts(state);
}

Ends ends_of(const Json& outline, std::string_view text, std::size_t begin);

Ends ends_after(const Json* outline, std::string_view text, const Ends& begins) {
  if (!outline) return begins;
  Ends ends;
  for (const std::size_t begin : begins) ends.merge(ends_of(*outline, text, begin));
  return ends;
}

/// The first marker in a text: its end, its size, and the outline after it.
struct Found {
  std::size_t end = std::string_view::npos, size = 0;
  const Json* then = nullptr;
};
Found find_marker(const Json& choices, std::string_view text, std::size_t begin) {
  Found first;
  for (const Json& choice : choices.items) {
    const std::string& marker = choice.find("marker")->text;
    const std::size_t at = text.find(marker, begin);
    if (at == std::string_view::npos) continue;
    const Found found = {at + marker.size(), marker.size(), choice.find("next")};
    if (found.end < first.end || (found.end == first.end && found.size > first.size)) first = found;
  }
  return first;
}

/// The positions at which a text of the outline that begins at `begin` may end.
Ends ends_of(const Json& outline, std::string_view text, std::size_t begin) {
  if (outline.is(Json::Kind::string)) {
    return text.substr(begin).starts_with(outline.text) ? Ends{begin + outline.text.size()} : Ends{};
  }
  if (outline.is(Json::Kind::array)) {
    Ends ends = {begin};
    for (const Json& item : outline.items) ends = ends_after(&item, text, ends);
    return ends;
  }
  Ends ends;
  if (const Json* form = outline.find("text")) {
    const auto language = make_regular_language(form->text);
    for (std::size_t end = begin; end <= text.size(); ++end)
      if (is_of(*language, text.substr(begin, end - begin))) ends.insert(end);
  } else if (const Json* choices = outline.find("oneOf")) {
    for (const Json& choice : choices->items) ends.merge(ends_of(choice, text, begin));
  } else if (const Json* again = outline.find("many")) {
    for (Ends more = {begin}; !more.empty();) {
      ends.insert(more.begin(), more.end());
      Ends next;
      for (const std::size_t end : ends_after(again, text, more))
        if (!ends.contains(end)) next.insert(end);
      more = next;
    }
  } else if (const Json* items = outline.find("inOrder")) {
    Ends none = {begin}, some;  // positions before and after something was written
    for (const Json& item : items->items) {
      const Json* optional = item.find("optional");
      const Json& written = optional ? *optional : item;
      Ends next = ends_after(&written, text, none);
      next.merge(ends_after(&written, text, ends_after(outline.find("by"), text, some)));
      if (optional) next.merge(some);
      else none.clear();
      some = next;
    }
    ends = none;
    ends.merge(some);
  } else if (const Json* markers = outline.find("until")) {
    const Found found = find_marker(*markers, text, begin);
    if (found.end != std::string_view::npos) ends = ends_after(found.then, text, {found.end});
  } else {
    const Json* once = outline.find("once");
    const Json* calls = once ? once : outline.find("free");
    Ends seen;
    for (Ends begins = {begin}; !begins.empty();) {
      Ends next;
      for (const std::size_t at : begins) {
        if (!seen.insert(at).second) continue;
        const Found found = find_marker(*calls, text, at);
        for (std::size_t end = at; end < std::min(found.end, text.size() + 1); ++end) ends.insert(end);
        if (found.end != std::string_view::npos) (once ? ends : next).merge(ends_after(found.then, text, {found.end}));
      }
      begins = next;
    }
  }
  return ends;
}

/// A vocabulary without control tokens.
const TokenTexts kNoVocabulary;

std::unique_ptr<Language> outline_language(std::string_view outline, const TokenTexts& vocabulary = kNoVocabulary) {
  return make_outline_language(outline, vocabulary).language;
}

std::string refusal_of(std::string_view outline) {
  try {
    outline_language(outline);
  } catch (const Refusal& refusal) {
    return refusal.code + ": " + refusal.message;
  }
  return "";
}

/// A random outline over a, b, < and >, as JSON.
std::string random_outline(std::mt19937& random, int depth) {
  const auto inner = [&] { return random_outline(random, depth - 1); };
  const auto marker = [&] {
    const char* const markers[] = {"<a>", "<", "ab", "<<b", "b>", "a>"};
    return "{\"marker\":\"" + std::string(markers[random() % std::size(markers)]) + "\"" +
           (random() % 2 == 0 ? "}" : ",\"next\":" + inner() + "}");
  };
  if (depth > 0) {
    switch (random() % 8) {
      case 5: {
        std::string items;
        for (int i = 0; i < 3; ++i) items += (i > 0 ? "," : "") + (random() % 2 == 0 ? inner() : "{\"optional\":" + inner() + "}");
        return "{\"inOrder\":[" + items + "],\"by\":\"<\"}";
      }
      case 0: return "[" + inner() + "," + inner() + "]";
      case 1: return "{\"oneOf\":[" + inner() + "," + inner() + "]}";
      case 2: return "{\"many\":" + inner() + "}";
      case 3: return "{\"until\":[" + marker() + "," + marker() + "]}";
      case 4:
      case 6: {
        const std::string kind = random() % 2 == 0 ? "free" : "once";
        return "{\"" + kind + "\":[" + (random() % 4 == 0 ? "" : marker() + (random() % 2 == 0 ? "" : "," + marker())) + "]}";
      }
      default: break;
    }
  }
  const char* const leaves[] = {"\"\"",
                                "\"a\"",
                                "\"<a\"",
                                "\">\"",
                                R"({"notation":"regex","text":"[ab]*"})",
                                R"({"notation":"regex","text":"a|<b?"})",
                                R"({"notation":"regex","text":"b{2}"})"};
  return leaves[random() % std::size(leaves)];
}

}  // namespace

TEST_CASE("an outline accepts the texts of the reference", "[grammar]") {
  std::mt19937 random(1);
  int accepted = 0, rejected = 0;
  for (int i = 0; i < 1500; ++i) {
    const std::string outline = random_outline(random, 3);
    Budget budget;
    const Json json = read_json(outline, budget);
    const auto language = outline_language(outline);
    for (int k = 0; k < 40; ++k) {
      std::string text;
      for (std::size_t left = random() % 9; left > 0; --left) text += "ab<>"[random() % 4];
      const bool expected = ends_of(json, text, 0).contains(text.size());
      INFO(outline << "\n" << text);
      REQUIRE(is_of(*language, text) == expected);
      (expected ? accepted : rejected)++;
    }
  }
  CHECK(accepted > 5'000);
  CHECK(rejected > 5'000);
}

TEST_CASE("outlines have no dead ends", "[grammar]") {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const std::string outline = random_outline(random, 3);
    const auto language = outline_language(outline);
    State state = language->start();
    for (int k = 0; k < 12; ++k) {
      std::vector<State> next;
      for (const char byte : std::string_view("ab<>")) {
        const State after = language->step(state, static_cast<unsigned char>(byte));
        if (after != State::kDead) next.push_back(after);
      }
      INFO(outline);
      if (!language->accepts(state)) REQUIRE_FALSE(next.empty());
      if (next.empty()) break;
      state = next[random() % next.size()];
    }
  }
}

TEST_CASE("reasoning is free, the answer after it is constrained", "[grammar]") {
  const auto language = outline_language(
      R"([{"until":[{"marker":"</t>"}]},{"notation":"schema","text":"{\"enum\":[1,true]}","options":{"whitespace":"compact"}}])");
  CHECK(is_of(*language, "anything </t </</t>1"));
  CHECK(is_of(*language, "</t>true"));
  CHECK_FALSE(is_of(*language, "</t>2"));
  CHECK_FALSE(is_of(*language, "1"));
  CHECK_FALSE(is_of(*language, "</t></t>1"));
}

TEST_CASE("control tokens are allowed only where an outline names them", "[grammar]") {
  test::VocabularyBuilder builder = test::sentencepiece_vocabulary();
  const auto call = static_cast<TokenId>(builder.add("<|tool|>", test::TokenKind::control));
  const auto other = static_cast<TokenId>(builder.add("<|other|>", test::TokenKind::control));
  builder.set("eos_token_id", std::int64_t{2});
  builder.set("unknown_token_id", std::int64_t{0});
  const auto vocabulary = tokenizer::make_tokenizer(builder.metadata("llama"));
  const auto table = std::make_shared<const TokenTable>(token_texts(*vocabulary));
  const auto allows = [&](const char* outline, std::string_view text, TokenId token) {
    Constraint constraint(std::make_shared<Masks>(outline_language(outline, table->trie().texts()), table));
    for (const char byte : text)
      REQUIRE(constraint.accept(vocabulary->encode(std::string(1, byte), {.add_special = false}).back()));
    const auto mask = constraint.mask();
    const bool allowed = mask[static_cast<std::size_t>(token) / 64] >> token % 64 & 1;
    CHECK(constraint.accept(token) == allowed);
    return allowed;
  };
  CHECK(allows(R"({"control": "ab<|tool|>c"})", "ab", call));
  CHECK_FALSE(allows(R"({"control": "ab<|tool|>c"})", "ab", other));
  CHECK_FALSE(allows(R"("ab<|tool|>c")", "ab", call));  // a literal text does not contain control tokens
  CHECK(allows(R"({"until": [{"marker": "<|tool|>"}]})", "a<", call));
  CHECK_FALSE(allows(R"({"until": [{"marker": "<|tool|>"}]})", "a<", other));
  CHECK(allows(R"({"free": [{"marker": "<|tool|>", "next": "x"}]})", "a", call));
  CHECK(allows(R"({"free": [{"marker": "<|tool|>", "next": "x"}]})", "a", other));
  CHECK(allows(R"({"once": [{"marker": "<|tool|>", "next": "x"}]})", "a", call));
  CHECK(allows(R"({"once": [{"marker": "<|tool|>", "next": "x"}]})", "a", other));
  CHECK_FALSE(allows(R"({"notation": "regex", "text": "[^]*"})", "a", call));
}

TEST_CASE("masks of outlines agree with brute force", "[grammar]") {
  test::VocabularyBuilder builder = test::sentencepiece_vocabulary();
  std::mt19937 random(3);
  std::set<std::string> tokens;
  while (tokens.size() < 300) {
    std::string text;
    for (std::size_t left = 2 + random() % 4; left > 0; --left) text += "ab<>\"{}"[random() % 7];
    tokens.insert(text);
  }
  tokens.erase("<a>");
  tokens.erase("<<b");
  for (const std::string& text : tokens) builder.add(text, test::TokenKind::normal, -1);
  builder.add("<a>", test::TokenKind::control);
  builder.add("<<b", test::TokenKind::control);
  builder.set("eos_token_id", std::int64_t{2});
  builder.set("unknown_token_id", std::int64_t{0});
  const auto vocabulary = tokenizer::make_tokenizer(builder.metadata("llama"));
  const auto table = std::make_shared<const TokenTable>(token_texts(*vocabulary));
  const TokenTexts& texts = table->trie().texts();
  const char* const kCall =
      R"([{"oneOf":["",{"until":[{"marker":"<a>"}]}]},{"many":[{"control":"<<b"},{"notation":"schema","text":"{\"type\":\"object\"}"},">"]}])";
  int states = 0;
  for (int i = 0; i < 120; ++i) {
    const std::string outline = i % 3 == 0 ? kCall : random_outline(random, 3);
    Constraint constraint(std::make_shared<Masks>(outline_language(outline, texts), table));
    const auto apart = outline_language(outline, texts);  // shares no caches with the tested language
    State state = apart->start();
    for (int k = 0; k < 20; ++k) {
      const auto mask = constraint.mask();
      std::vector<TokenId> allowed;
      for (TokenId id = 0; texts.contains(id); ++id) {
        bool expected = false;
        if (texts.use(id) == TokenUse::end) expected = apart->accepts(state);
        if (texts.is_written(id) && !texts.text(id).empty()) {
          State reached = state;
          for (const char byte : texts.text(id))
            if (reached != State::kDead) reached = apart->step(reached, static_cast<unsigned char>(byte));
          expected = reached != State::kDead;
          if (expected) allowed.push_back(id);
        }
        INFO(outline << "\n" << id);
        REQUIRE((mask[static_cast<std::size_t>(id) / 64] >> id % 64 & 1) == expected);
      }
      ++states;
      if (allowed.empty()) break;
      const TokenId chosen = allowed[random() % allowed.size()];
      REQUIRE(constraint.accept(chosen));
      for (const char byte : texts.text(chosen)) state = apart->step(state, static_cast<unsigned char>(byte));
    }
  }
  CHECK(states > 1'000);
}

TEST_CASE("a malformed outline is refused", "[grammar]") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(refusal_of("{}"), ContainsSubstring("invalid: "));
  CHECK_THAT(refusal_of("1"), ContainsSubstring("invalid: "));
  CHECK_THAT(refusal_of(R"({"sometimes": "a"})"), ContainsSubstring("unknown part sometimes"));
  CHECK_THAT(refusal_of(R"({"notation": "xml", "text": "a"})"), ContainsSubstring("unknown notation xml"));
  CHECK_THAT(refusal_of(R"({"notation": "regex", "text": "a", "flags": "i"})"), ContainsSubstring("unknown member flags"));
  CHECK_THAT(refusal_of(R"({"oneOf": []})"), ContainsSubstring("oneOf"));
  CHECK_THAT(refusal_of(R"({"inOrder": ["a"]})"), ContainsSubstring("inOrder"));
  CHECK_THAT(refusal_of(R"({"until": []})"), ContainsSubstring("until"));
  CHECK_THAT(refusal_of(R"({"until": [{"marker": ""}]})"), ContainsSubstring("empty"));
  CHECK_THAT(refusal_of(R"({"free": [{"marker": "a", "than": "b"}]})"), ContainsSubstring("marker"));
  CHECK_THAT(refusal_of(R"([{"notation": "regex", "text": "(", "name": "tool f"}])"), ContainsSubstring("tool f: "));
  CHECK_THAT(refusal_of(R"([{"notation": "schema", "text": "{\"not\": {}}", "name": "tool f"}])"),
             ContainsSubstring("unsatisfiable: tool f: "));
}

TEST_CASE("a language stays usable after a refused step", "[grammar]") {
  std::string outline = "\"b\"";
  for (int i = 0; i < 200; ++i) outline = "{\"oneOf\":[" + outline + ",\"a\"]}";
  const auto language = outline_language("[{\"many\":" + outline + "},{\"until\":[{\"marker\":\"c\"}]}]");
  const State start = language->start();
  while (language->budget().left() > 0) language->budget().spend();
  CHECK_THROWS_AS(language->step(start, 'a'), Refusal);
  language->budget().refill();
  CHECK(language->step(start, 'a') != State::kDead);
  CHECK(is_of(*language, "abac"));
}
