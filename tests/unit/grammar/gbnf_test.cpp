#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/gbnf/gbnf.hpp"
#include "grammar/refusal.hpp"
#include "grammar/regular/pool.hpp"

using namespace heed::grammar;

namespace {

State state_after(Language& language, std::string_view text) {
  State state = language.start();
  for (const char byte : text) {
    if (state == State::kDead) break;
    state = language.step(state, static_cast<unsigned char>(byte));
  }
  return state;
}

bool gbnf_accepts(std::string_view grammar, std::string_view text) {
  const auto language = make_gbnf_language(grammar);
  const State state = state_after(*language, text);
  return state != State::kDead && language->accepts(state);
}

bool gbnf_begins(std::string_view grammar, std::string_view text) {
  const auto language = make_gbnf_language(grammar);
  return state_after(*language, text) != State::kDead;
}

/// The refusal of a grammar, as "code keyword path".
std::string gbnf_refusal(std::string_view grammar) {
  try {
    make_gbnf_language(grammar);
  } catch (const Refusal& refusal) {
    return refusal.code + ' ' + refusal.keyword + ' ' + refusal.path;
  }
  return "none";
}

constexpr std::size_t kLongestWord = 5;
using WordSet = std::set<std::string>;

/// The language of an expression of a random grammar, up to kLongestWord letters.
struct Meaning {
  bool productive = false;
  WordSet words, beginnings;

  bool operator==(const Meaning&) const = default;
};

Meaning text_meaning(const std::string& text) {
  Meaning meaning{.productive = true, .words = {text}, .beginnings = {}};
  for (std::size_t length = 0; length <= text.size(); ++length) meaning.beginnings.insert(text.substr(0, length));
  return meaning;
}

Meaning in_union(Meaning a, const Meaning& b) {
  a.productive |= b.productive;
  a.words.insert(b.words.begin(), b.words.end());
  a.beginnings.insert(b.beginnings.begin(), b.beginnings.end());
  return a;
}

Meaning in_sequence(const Meaning& a, const Meaning& b) {
  if (!a.productive || !b.productive) return {};
  Meaning meaning{.productive = true, .words = {}, .beginnings = a.beginnings};
  for (const std::string& first : a.words) {
    for (const std::string& second : b.words)
      if (first.size() + second.size() <= kLongestWord) meaning.words.insert(first + second);
    for (const std::string& second : b.beginnings)
      if (first.size() + second.size() <= kLongestWord) meaning.beginnings.insert(first + second);
  }
  return meaning;
}

Meaning repeated(const Meaning& one, unsigned min, unsigned max) {
  Meaning power = text_meaning(""), sum;
  for (unsigned count = 0; count <= max; ++count) {
    if (count >= min) sum = in_union(sum, power);
    power = in_sequence(power, one);
  }
  return sum;
}

/// A random grammar over the letters a and b, as text and as a set of words.
class RandomGrammar {
 public:
  explicit RandomGrammar(unsigned seed) : random_(seed), rules_(1 + random_() % 4) {
    for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
      auto [written, means] = expression(3);
      text_ += name(rule) + " ::= " + written + "\n";
      bodies_.push_back(means);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
        Meaning now = bodies_[rule](rules_);
        changed |= now != rules_[rule];
        rules_[rule] = std::move(now);
      }
    }
  }

  const std::string& text() const { return text_; }
  const Meaning& meaning() const { return rules_[0]; }

 private:
  using Means = std::function<Meaning(const std::vector<Meaning>&)>;
  struct Written {
    std::string text;
    Means means;
  };

  static std::string name(std::size_t rule) { return rule == 0 ? "root" : "rule-" + std::to_string(rule); }

  Written expression(int depth) {
    switch (random_() % (depth == 0 ? 4 : 9)) {
      case 0: return terminal("\"\"", {""});
      case 1: return terminal("\"ab\"", {"ab"});
      case 2: return random_() % 2 ? terminal("[ab]", {"a", "b"}) : terminal("\"b\"", {"b"});
      case 3: {
        const std::size_t rule = random_() % rules_.size();
        return {name(rule), [rule](const std::vector<Meaning>& rules) { return rules[rule]; }};
      }
      case 4:
      case 5: {
        auto a = expression(depth - 1), b = expression(depth - 1);
        return {a.text + " " + b.text,
                [=](const std::vector<Meaning>& rules) { return in_sequence(a.means(rules), b.means(rules)); }};
      }
      case 6:
      case 7: {
        auto a = expression(depth - 1), b = expression(depth - 1);
        return {"(" + a.text + " | " + b.text + ")",
                [=](const std::vector<Meaning>& rules) { return in_union(a.means(rules), b.means(rules)); }};
      }
      default: {
        static constexpr struct {
          const char* text;
          unsigned min, max;
        } kRepeats[] = {{"*", 0, 9},     {"+", 1, 9},    {"?", 0, 1},    {"{2}", 2, 2},
                        {"{1,2}", 1, 2}, {"{2,}", 2, 9}, {"{,3}", 0, 3}, {"{0}", 0, 0}};
        const auto repeat = kRepeats[random_() % std::size(kRepeats)];
        auto one = expression(depth - 1);
        return {"(" + one.text + ")" + repeat.text,
                [=](const std::vector<Meaning>& rules) { return repeated(one.means(rules), repeat.min, repeat.max); }};
      }
    }
  }

  static Written terminal(const std::string& text, const std::vector<std::string>& words) {
    Meaning meaning;
    for (const std::string& word : words) meaning = in_union(meaning, text_meaning(word));
    return {text, [meaning](const std::vector<Meaning>&) { return meaning; }};
  }

  std::mt19937 random_;
  std::vector<Meaning> rules_;
  std::string text_;
  std::vector<Means> bodies_;
};

void compare_all_words(Language& language, const Meaning& meaning, State state, const std::string& text) {
  INFO("text: " << text);
  CHECK((state != State::kDead) == meaning.beginnings.contains(text));
  if (state == State::kDead) return;
  CHECK(language.accepts(state) == meaning.words.contains(text));
  if (text.size() == kLongestWord) return;
  for (const char letter : {'a', 'b'})
    compare_all_words(language, meaning, language.step(state, static_cast<unsigned char>(letter)), text + letter);
}

}  // namespace

TEST_CASE("a random grammar accepts exactly what its rules derive", "[grammar]") {
  int empty = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    const RandomGrammar grammar(seed);
    INFO("seed " << seed << ":\n" << grammar.text());
    if (!grammar.meaning().productive) {
      ++empty;
      CHECK(gbnf_refusal(grammar.text()).starts_with("unsatisfiable"));
      continue;
    }
    const auto language = make_gbnf_language(grammar.text());
    compare_all_words(*language, grammar.meaning(), language->start(), "");
  }
  CHECK(empty > 10);
}

TEST_CASE("the lexemes of a state cover its language", "[grammar]") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const RandomGrammar grammar(seed);
    if (!grammar.meaning().productive) continue;
    INFO("seed " << seed << ":\n" << grammar.text());
    const auto language = make_gbnf_language(grammar.text());
    for (const std::string& text : grammar.meaning().beginnings) {
      const State state = state_after(*language, text);
      const auto found = language->lexemes(state);
      const std::vector<Lexeme> lexemes(found.begin(), found.end());
      // Reads three more letters, by the state and by its lexemes: each lexeme is within its Regular, after it, or both.
      for (int code = 0; code < 8; ++code) {
        State whole = state;
        struct Part {
          std::vector<Regular> inside;
          std::vector<State> behind;
        };
        std::vector<Part> parts;
        for (const auto& [regular, after, follow, certain] : lexemes) {
          parts.push_back({{regular}, {}});
          if (language->pool().accepts_empty(regular)) parts.back().behind.push_back(after);
        }
        for (int i = 0; i < 3 && whole != State::kDead; ++i) {
          const auto letter = static_cast<std::uint8_t>('a' + (code >> i & 1));
          whole = language->step(whole, letter);
          bool alive = false;
          for (std::size_t k = 0; k < parts.size(); ++k) {
            Part next;
            for (const State behind : parts[k].behind)
              if (const State on = language->step(behind, letter); on != State::kDead) next.behind.push_back(on);
            for (const Regular inside : parts[k].inside) {
              const Regular rest = language->pool().derive(inside, letter);
              if (rest == Regular::kNothing) continue;
              next.inside.push_back(rest);
              if (language->pool().accepts_empty(rest)) next.behind.push_back(lexemes[k].after);
            }
            alive |= !next.inside.empty() || !next.behind.empty();
            parts[k] = std::move(next);
          }
          CHECK(alive == (whole != State::kDead));
        }
      }
    }
  }
}

TEST_CASE("lists reuse states, with left and right recursion", "[grammar]") {
  for (const char* list : {"list ::= item list | item", "list ::= list item | item", "list ::= item+ | item (item | list)"}) {
    const std::string grammar = "root ::= \"[\" list \"]\" | \"(\" root \")\"\nitem ::= \"x\" | root\n" + std::string(list) + "\n";
    INFO(grammar);
    const auto language = make_gbnf_language(grammar);
    std::set<State> states;
    State state = state_after(*language, "[x");
    for (int i = 0; i < 1000; ++i) {
      states.insert(state);
      state = language->step(state, 'x');
    }
    CHECK(states.size() <= 3);
    CHECK(language->accepts(language->step(state, ']')));
  }
}

TEST_CASE("brackets are counted at any depth", "[grammar]") {
  const auto language = make_gbnf_language("root ::= \"(\" root \")\" | \"x\"");
  State state = language->start();
  for (int i = 0; i < 20'000; ++i) {
    language->budget().refill();
    state = language->step(state, '(');
  }
  state = language->step(state, 'x');
  for (int i = 0; i < 20'000; ++i) {
    REQUIRE_FALSE(language->accepts(state));
    state = language->step(state, ')');
  }
  CHECK(language->accepts(state));
  CHECK(language->step(state, ')') == State::kDead);
}

TEST_CASE("repeats are not unrolled", "[grammar]") {
  const std::string grammar = "root ::= (item \",\"){3,100000} \".\"\nitem ::= \"x\" | \"(\" item \")\"\n";
  const auto language = make_gbnf_language(grammar);
  State state = language->start();
  for (int i = 0; i < 5000; ++i) {
    CHECK((language->step(state, '.') != State::kDead) == (i >= 3));
    language->budget().refill();
    state = language->step(language->step(state, 'x'), ',');
  }
  CHECK(gbnf_accepts("root ::= a{2}\na ::= \"x\" a \"y\" | \"\"", "xyxxyy"));
  CHECK(gbnf_accepts("root ::= [a-z]{1,100000}", std::string(100000, 'q')));
  CHECK_FALSE(gbnf_begins("root ::= [a-z]{1,1000}", std::string(1001, 'q')));
}

TEST_CASE("characters are code points", "[grammar]") {
  CHECK(gbnf_accepts("root ::= [^a] . \"\\u00e9\\U0001F600\"", "\n漢é😀"));
  CHECK(gbnf_begins("root ::= [\\u4e00-\\u9fff]", "\xE6\xBC"));
  CHECK_FALSE(gbnf_begins("root ::= .", "\xC0"));
  CHECK_FALSE(gbnf_begins("root ::= .", "\xED\xA0"));  // a surrogate
  CHECK(gbnf_accepts("root ::= [-a] [a-] [\\]^]", "-a^"));
  CHECK_FALSE(gbnf_begins("root ::= [] | \"x\"", "]"));
}

TEST_CASE("a rule ends with its line, except within parentheses and after ::= and |", "[grammar]") {
  CHECK(gbnf_accepts("root ::=\n  # the alternatives\n  \"a\" |\n\n  \"b\" (\"c\"\n  \"d\") # and\r\nother ::= root", "bcd"));
  CHECK(gbnf_accepts("root ::= | \"a\"", ""));
  CHECK(gbnf_refusal("root ::= \"a\"\n| \"b\"") == "invalid  2:1");
  CHECK(gbnf_refusal("root ::= \"a\" ::= \"b\"") == "invalid root 1:14");
}

TEST_CASE("a malformed grammar is refused at its error", "[grammar]") {
  CHECK(gbnf_refusal("") == "invalid root 1:1");
  CHECK(gbnf_refusal("list ::= \"a\"") == "invalid root 1:1");
  CHECK(gbnf_refusal("root ::= \"a\"\nroot ::= \"b\"") == "invalid root 2:1");
  CHECK(gbnf_refusal("root ::= (\n  \"a\" list)") == "invalid list 2:7");
  CHECK(gbnf_refusal("root ::= \"漢\" \"b") == "invalid root 1:14");
  CHECK(gbnf_refusal("root ::= [a") == "invalid root 1:10");
  CHECK(gbnf_refusal("root ::= [b-a]") == "invalid root 1:11");
  CHECK(gbnf_refusal("root ::= (\"a\"") == "invalid root 1:14");
  CHECK(gbnf_refusal("root ::= \"a\")") == "invalid root 1:13");
  CHECK(gbnf_refusal("root ::= * \"a\"") == "invalid root 1:10");
  CHECK(gbnf_refusal("root ::= \"a\"{3,1}") == "invalid root 1:14");
  CHECK(gbnf_refusal("root ::= \"a\"{,}") == "invalid root 1:14");
  CHECK(gbnf_refusal("root ::= \"a\"{99999999999}") == "too-large root 1:14");
  CHECK(gbnf_refusal("root ::= \"\\q\"") == "invalid root 1:11");
  CHECK(gbnf_refusal("root ::= \"\\ud800\"") == "invalid root 1:11");
  CHECK(gbnf_refusal("root ::= \"\\U00110000\"") == "invalid root 1:11");
  CHECK(gbnf_refusal("root ::= \"\xFF\"") == "invalid root 1:11");
  CHECK(gbnf_refusal("root = \"a\"") == "invalid root 1:6");
  CHECK(gbnf_refusal("root ::= \"a\" root") == "unsatisfiable root 1:1");
  CHECK(gbnf_refusal("root ::= " + std::string(100'000, '(')).starts_with("too-large"));
}

TEST_CASE("large grammars and deep chains of rules are compiled", "[grammar]") {
  std::string nested = "root ::= r0\n", recursive = nested;
  constexpr int kRules = 20'000;
  for (int i = 0; i < kRules; ++i) {
    const std::string head = "r" + std::to_string(i) + " ::= ", next = "r" + std::to_string(i + 1);
    nested += head + "\"<\" " + next + "? \">\"\n";
    recursive += head + next + " | root \"x\"\n";
  }
  const std::string last = "r" + std::to_string(kRules) + " ::= \"y\"\n";
  CHECK(gbnf_accepts(nested + last, "<<<>>>"));
  CHECK_FALSE(gbnf_begins(nested + last, "<<>>>"));
  CHECK(gbnf_accepts(recursive + last, "yxxx"));
}

TEST_CASE("ambiguous grammars take time linear in the text", "[grammar]") {
  for (const char* grammar :
       {"root ::= (\"a\" | \"a\")* \"b\"", "root ::= s \"b\"\ns ::= s s | \"a\" | \"\"", "root ::= e \"b\"\ne ::= e e e | \"a\""}) {
    INFO(grammar);
    const auto language = make_gbnf_language(grammar);
    State state = language->start();
    for (int i = 0; i < 301; ++i) state = language->step(state, 'a');
    CHECK(language->accepts(language->step(state, 'b')));
  }
}
