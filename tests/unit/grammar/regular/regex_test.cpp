// Compares regular expressions with a matcher by definition: the set of positions at which a match may end.
#include "grammar/regular/regex.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "grammar/refusal.hpp"
#include "grammar/regular/regex_tree.hpp"
#include "unit/grammar/regular/matching.hpp"

using namespace heed::grammar;
using heed::test::after;
using heed::test::matches;
using heed::test::shortest_text;

namespace {

bool regex_matches(std::string_view pattern, std::string_view text, Anchoring anchoring = Anchoring::whole) {
  Budget budget;
  RegularPool pool(budget);
  return matches(pool, parse_regex(pool, pattern, Spelling::raw, anchoring), text);
}

Refusal regex_refusal(std::string_view pattern) {
  Budget budget;
  RegularPool pool(budget);
  try {
    parse_regex(pool, pattern, Spelling::raw, Anchoring::whole);
  } catch (const Refusal& refusal) {
    return refusal;
  }
  return {"", "", "", ""};
}

class NaiveMatcher {
 public:
  NaiveMatcher(const RegexTree& tree, std::u32string text) : tree_(tree), text_(std::move(text)) {}

  bool matches(Anchoring anchoring) const {
    if (anchoring == Anchoring::whole) return ends(tree_.root, 0).contains(text_.size());
    for (std::size_t begin = 0; begin <= text_.size(); ++begin)
      if (!ends(tree_.root, begin).empty()) return true;
    return false;
  }

 private:
  using Places = std::set<std::size_t>;

  Places ends(std::uint32_t index, std::size_t begin) const {
    const RegexTree::Part& part = tree_.parts[index];
    const auto if_true = [&](bool holds) { return holds ? Places{begin} : Places{}; };
    switch (part.kind) {
      case RegexTree::Kind::sequence: {
        Places places = {begin};
        for (const std::uint32_t inner : part.parts) places = ends_of_all(inner, places);
        return places;
      }
      case RegexTree::Kind::alternatives: {
        Places places;
        for (const std::uint32_t inner : part.parts) places.merge(ends(inner, begin));
        return places;
      }
      case RegexTree::Kind::repeat: {
        Places found;
        Places places = {begin};
        const std::size_t most = part.max == kUnlimited ? part.min + text_.size() + 1 : part.max;
        for (std::size_t count = 0; count <= most; ++count) {
          if (count >= part.min) found.insert(places.begin(), places.end());
          places = ends_of_all(part.parts.front(), places);
        }
        return found;
      }
      case RegexTree::Kind::character:
        return begin < text_.size() && part.points.contains(text_[begin]) ? Places{begin + 1} : Places{};
      case RegexTree::Kind::start: return if_true(begin == 0);
      case RegexTree::Kind::end: return if_true(begin == text_.size());
      case RegexTree::Kind::boundary: return if_true(is_word(begin) != (begin > 0 && is_word(begin - 1)));
      case RegexTree::Kind::no_boundary: return if_true(is_word(begin) == (begin > 0 && is_word(begin - 1)));
      case RegexTree::Kind::lookahead: return if_true(!ends(part.parts.front(), begin).empty());
      case RegexTree::Kind::no_lookahead: return if_true(ends(part.parts.front(), begin).empty());
    }
    return {};
  }

  Places ends_of_all(std::uint32_t index, const Places& begins) const {
    Places places;
    for (const std::size_t begin : begins) places.merge(ends(index, begin));
    return places;
  }

  bool is_word(std::size_t at) const { return at < text_.size() && word_characters().contains(text_[at]); }

  const RegexTree& tree_;
  std::u32string text_;
};

class RandomPatterns {
 public:
  explicit RandomPatterns(unsigned seed) : random_(seed) {}

  std::string pattern(int depth) {
    switch (below(depth == 0 ? 3 : 12)) {
      case 3:
      case 4: return pattern(depth - 1) + pattern(depth - 1);
      case 5: return "(?:" + pattern(depth - 1) + "|" + pattern(depth - 1) + ")";
      case 6: return "(" + pattern(depth - 1) + ")" + one_of(kQuantifiers);
      case 7: return one_of(kAtoms) + one_of(kQuantifiers);
      case 8: return "(?:^|" + pattern(depth - 1) + ")";
      case 9: return "(?:$|" + pattern(depth - 1) + ")";
      case 10: return one_of(kAssertions);
      case 11: return "(?" + std::string(below(2) == 0 ? "=" : "!") + pattern(depth - 1) + ")";
      default: return one_of(kAtoms);
    }
  }

  std::u32string text() {
    static constexpr std::u32string_view kCharacters = U"aabb_-é😀 1\n";
    std::u32string text;
    for (int length = below(7); length > 0; --length) text += kCharacters[static_cast<std::size_t>(below(kCharacters.size()))];
    return text;
  }

 private:
  static constexpr std::array<const char*, 20> kAtoms = {"a",    "b",      "a",   "b",   "_",      "-",      "é",
                                                         "😀",   ".",      "\\w", "\\W", "\\d",    "\\s",    "[ab]",
                                                         "[^a]", "[a-b_]", "[^]", "[]",  "\\p{L}", "\\P{Ll}"};
  static constexpr std::array<const char*, 9> kQuantifiers = {"*", "+", "?", "{2}", "{1,2}", "{0,3}?", "{2,}", "{0}", "+?"};
  static constexpr std::array<const char*, 4> kAssertions = {"^", "$", "\\b", "\\B"};

  int below(std::size_t end) { return static_cast<int>(random_() % end); }
  template <class Choices>
  std::string one_of(const Choices& choices) {
    return choices[static_cast<std::size_t>(below(choices.size()))];
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("random regular expressions match by definition", "[grammar][regex]") {
  int supported = 0;
  for (unsigned seed = 0; seed < 800; ++seed) {
    RandomPatterns random(seed);
    const std::string pattern = random.pattern(4);
    const Anchoring anchoring = seed % 2 == 0 ? Anchoring::whole : Anchoring::search;
    CAPTURE(seed, pattern);
    Budget budget;
    RegularPool pool(budget);
    Regular language;
    try {
      language = parse_regex(pool, pattern, Spelling::raw, anchoring);
    } catch (const Refusal& refusal) {
      REQUIRE((refusal.code == "unsupported" || refusal.keyword == "*" || refusal.keyword == "{"));
      continue;
    }
    ++supported;
    REQUIRE((language == Regular::kNothing) == (shortest_text(pool, language) == "none"));
    const RegexTree tree = parse_regex_tree(pattern, budget);
    for (int i = 0; i < 30; ++i) {
      const std::u32string text = random.text();
      std::string bytes;
      for (const char32_t c : text) heed::utf8::append(bytes, c);
      CAPTURE(bytes);
      REQUIRE(matches(pool, language, bytes) == NaiveMatcher(tree, text).matches(anchoring));
      const Regular begun = after(pool, language, bytes.substr(0, bytes.size() / 2));
      if (begun != Regular::kNothing) REQUIRE(shortest_text(pool, begun) != "none");
    }
  }
  CHECK(supported > 700);
}

TEST_CASE("the constructs of ECMA-262", "[grammar][regex]") {
  CHECK(regex_matches("\\0\\x41\\u0042\\u{43}\\u{1F600}\\uD83D\\uDE00", std::string_view("\0ABC😀😀", 12)));
  CHECK(regex_matches("\\cA\\cz", "\x01\x1A"));
  CHECK(regex_matches("[\\b\\t\\v]{3}", "\b\t\v"));
  CHECK_FALSE(regex_matches(".", "\u2028"));
  CHECK(regex_matches("[^]", "\u2028"));
  CHECK_FALSE(regex_matches("[]|a", "b"));
  CHECK(regex_matches("\\s", "\uFEFF"));
  CHECK_FALSE(regex_matches("\\s", "\u180E"));
  CHECK(regex_matches("\\p{gc=Lu}\\p{Lowercase_Letter}\\P{L}", "Éé1"));
  CHECK_FALSE(regex_matches("\\uD83D", "\xED\xA0\xBD"));  // surrogates are not characters
  CHECK(regex_matches("(?<year>\\d+)-(?:a|(?<b>b))", "12-b"));
  CHECK(regex_matches("(?:(?<x>a)|(?<x>b))", "b"));
  CHECK(regex_matches("^(?=.*\\d)(?!.*--)[a-z\\d-]{3,}$", "a-1"));
  CHECK_FALSE(regex_matches("^(?=.*\\d)(?!.*--)[a-z\\d-]{3,}$", "a--1"));
  CHECK(regex_matches("\\bfoo\\b", "a foo!", Anchoring::search));
  CHECK_FALSE(regex_matches("\\bfoo\\b", "a food", Anchoring::search));
  CHECK(regex_matches("^a|b$", "xb", Anchoring::search));
  CHECK_FALSE(regex_matches("^a|b$", "xa", Anchoring::search));
  CHECK(regex_matches("(?:^|,)a(?:,|$)", "b,a", Anchoring::search));
  CHECK(regex_matches("(?:a$|b)+", "bba"));
  CHECK_FALSE(regex_matches("(?:a$|b)+", "bab"));
  CHECK(regex_matches("(?:^a|b){3}", "abb"));
}

TEST_CASE("patterns that are valid only without the flag u have their meaning without it", "[grammar][regex]") {
  CHECK(regex_matches("\\-\\@\\#\\_\\a", "-@#_a"));
  CHECK(regex_matches("a]b}", "a]b}"));
  CHECK(regex_matches("a{,3}", "a{,3}"));
  CHECK(regex_matches("x{", "x{"));
  CHECK(regex_matches("\\1\\101\\08", std::string_view("\x01"
                                                       "A\0"
                                                       "8",
                                                       4)));
  CHECK(regex_matches("\\k<n>", "k<n>"));
  CHECK(regex_matches("\\xg\\ug", "xgug"));
  CHECK(regex_matches("[\\w-a]+", "-a1"));
  CHECK(regex_matches("\\c", "\\c"));
  CHECK(regex_matches("(?=a)*a", "a"));
}

TEST_CASE("a refused regular expression names the construct and its offset", "[grammar][regex]") {
  const auto refused = [](std::string_view pattern, const char* code, const char* keyword, const char* path) {
    const Refusal refusal = regex_refusal(pattern);
    CAPTURE(pattern);
    CHECK(refusal.code == code);
    CHECK(refusal.keyword == keyword);
    CHECK(refusal.path == path);
  };
  refused("é(a", "invalid", "(", "1");
  refused("a)", "invalid", ")", "1");
  refused("[a", "invalid", "[", "0");
  refused("a{3,2}", "invalid", "{3,2}", "1");
  refused("a\\", "invalid", "\\", "1");
  refused("*a", "invalid", "*", "0");
  refused("a**", "invalid", "*", "2");
  refused("{2}", "invalid", "{", "0");
  refused("^*", "invalid", "*", "1");
  refused("[z-a]", "invalid", "z-a", "1");
  refused("\\u{110000}", "invalid", "\\u{", "0");
  refused("(?<1>a)", "invalid", "(?<", "0");
  refused("(?<a>a)(?<a>b)", "invalid", "(?<", "7");
  refused("(?*a)", "invalid", "(?*", "0");
  refused("a\xFF", "invalid", "", "1");
  refused("(a)\\1", "unsupported", "\\1", "3");
  refused("(?<n>x)\\k<n>", "unsupported", "\\k", "7");
  refused("aé(?<=b)", "unsupported", "(?<=", "2");
  refused("(?<!b)", "unsupported", "(?<!", "0");
  refused("(?i)a", "unsupported", "(?i", "0");
  refused("\\p{Script=Greek}", "unsupported", "\\p{Script=Greek}", "0");
  refused("(?:a\\b)*", "unsupported", "\\b", "4");
  refused("(?:(?!b).)*", "unsupported", "(?!", "3");
  refused("a{5000000000}", "too-large", "{", "1");
  refused(std::string(1000, '('), "too-large", "(", "200");
}

TEST_CASE("a pattern without a match is kNothing", "[grammar][regex]") {
  for (const char* pattern : {"a^b", "$a", "[]", "(?=a)b", "a\\bb", "(?!)"}) {
    Budget budget;
    RegularPool pool(budget);
    CAPTURE(pattern);
    CHECK(parse_regex(pool, pattern, Spelling::raw, Anchoring::whole) == Regular::kNothing);
  }
}

TEST_CASE("time is linear in the text", "[grammar][regex]") {
  struct Case {
    const char* pattern;
    std::string text;
    bool match;
  };
  const std::string a(4000, 'a');
  const std::vector<Case> cases = {
      {"(a|a)*b", a, false},
      {"(x+x+)+y", std::string(4000, 'x') + "y", true},
      {"(?:a{1,1000}){1,1000}", a, true},
      {"(.*a){50}", a, true},
      {"(a?){1000}a{1000}", a.substr(0, 2000), true},
      {"(?:(?:a{0,100}b?){0,100}c?)*", a, true},
      {"(a*)*(a*)*(b|a*)*", a + "b", true},
      {".{0,100000}", a, true},
      {"(?=.{10,5000}$)(?=.*a)(?!.*bb).*", a, true},
      {"[ab]*a[ab]{6}", a + "bbbbbb", true},
  };
  for (const auto& [pattern, text, match] : cases) {
    Budget budget;
    RegularPool pool(budget);
    const Regular language = parse_regex(pool, pattern, Spelling::raw, Anchoring::whole);
    const std::uint64_t before = budget.left();
    CAPTURE(pattern);
    CHECK(matches(pool, language, text) == match);
    CHECK(before - budget.left() < 150 * text.size() + 100'000);
  }
}
