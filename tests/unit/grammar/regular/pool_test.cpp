// Compares expressions with their languages: sets of texts up to a length.
#include "grammar/regular/pool.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "grammar/refusal.hpp"
#include "grammar/regular/characters.hpp"
#include "grammar/regular/regex.hpp"
#include "unit/grammar/regular/matching.hpp"

using namespace heed::grammar;
using heed::test::after;
using heed::test::matches;
using heed::test::shortest_text;

namespace {

constexpr std::size_t kLongestMeant = 5;
constexpr std::string_view kAlphabet = "abc";

std::vector<std::string> all_meant_texts() {
  std::vector<std::string> texts = {""};
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i].size() < kLongestMeant)
      for (const char letter : kAlphabet) texts.push_back(texts[i] + letter);
  return texts;
}

/// An expression, and the texts up to a length that it matches.
struct Meant {
  Regular expression;
  std::set<std::string> texts;
};

class RandomExpressions {
 public:
  RandomExpressions(RegularPool& pool, unsigned seed) : pool_(pool), random_(seed) {}

  Meant make(int depth) {
    const Meant made = make_one(depth);
    if (below(3) == 0) CHECK(pool_.is_nothing(made.expression) == (shortest_text(pool_, made.expression) == "none"));  // now cached
    return made;
  }

 private:
  Meant make_one(int depth) {
    switch (depth == 0 ? below(3) : below(11)) {
      case 0: return leaf(true);
      case 1: return leaf(false);
      case 2: return {Regular::kEmptyText, {""}};
      case 3:
      case 4: return concat(make(depth - 1), make(depth - 1));
      case 5: return any_of(make(depth - 1), make(depth - 1));
      case 6: {
        const Meant a = make(depth - 1);
        const Meant b = make(depth - 1);
        Meant both{pool_.all_of(a.expression, b.expression), {}};
        std::ranges::set_intersection(a.texts, b.texts, std::inserter(both.texts, both.texts.end()));
        return both;
      }
      case 7: {
        const Meant a = make(depth - 1);
        Meant others{pool_.complement(a.expression), {}};
        for (const std::string& text : kAll)
          if (!a.texts.contains(text)) others.texts.insert(text);
        return others;
      }
      case 8: {
        const Meant a = make(depth - 1);
        return {pool_.optional(a.expression), any_of(a, {Regular::kEmptyText, {""}}).texts};
      }
      default: return repeat(make(depth - 1));
    }
  }

  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  Meant leaf(bool as_bytes) {
    ByteSet set;
    std::vector<CodePoints::Range> ranges;
    Meant meant{};
    for (const char letter : kAlphabet)
      if (below(2) == 0) {
        set.insert(static_cast<std::uint8_t>(letter));
        ranges.push_back({static_cast<char32_t>(letter), static_cast<char32_t>(letter)});
        meant.texts.insert(std::string(1, letter));
      }
    if (below(4) == 0) {
      ranges = {{0, kLastCodePoint}};
      set = ByteSet::all();
      for (const char letter : kAlphabet) meant.texts.insert(std::string(1, letter));
    }
    meant.expression = as_bytes ? pool_.bytes(set) : pool_.characters(CodePoints(ranges), Spelling::raw);
    return meant;
  }

  Meant concat(const Meant& a, const Meant& b) {
    Meant both{pool_.concat(a.expression, b.expression), {}};
    for (const std::string& first : a.texts)
      for (const std::string& second : b.texts)
        if (first.size() + second.size() <= kLongestMeant) both.texts.insert(first + second);
    return both;
  }

  Meant any_of(const Meant& a, const Meant& b) {
    Meant either{pool_.any_of(a.expression, b.expression), a.texts};
    either.texts.insert(b.texts.begin(), b.texts.end());
    return either;
  }

  Meant repeat(const Meant& a) {
    const auto min = static_cast<unsigned>(below(4));
    const bool limited = below(2) == 0;
    const unsigned max = limited ? min + static_cast<unsigned>(below(3)) : min + kLongestMeant + 1;
    Meant repeated{pool_.repeat(a.expression, min, limited ? std::optional<std::uint64_t>(max) : std::nullopt), {}};
    Meant power{Regular::kEmptyText, {""}};
    for (unsigned count = 0; count <= max; ++count) {
      if (count >= min) repeated.texts.insert(power.texts.begin(), power.texts.end());
      power = concat(power, a);
    }
    return repeated;
  }

  RegularPool& pool_;
  std::mt19937 random_;
  inline static const std::vector<std::string> kAll = all_meant_texts();
};

}  // namespace

TEST_CASE("random expressions accept exactly their texts", "[grammar][regular]") {
  const std::vector<std::string> texts = all_meant_texts();
  for (unsigned seed = 0; seed < 600; ++seed) {
    Budget budget;
    RegularPool pool(budget);
    const Meant meant = RandomExpressions(pool, seed).make(4);
    CAPTURE(seed);
    const bool alive = !pool.is_nothing(meant.expression);
    REQUIRE((shortest_text(pool, meant.expression) == "none") != alive);
    std::set<std::string> found;
    for (const std::string& text : texts) {
      const Regular rest = after(pool, meant.expression, text);
      if (pool.accepts_empty(rest)) found.insert(text);
      if (!text.empty() && rest != Regular::kNothing) REQUIRE(shortest_text(pool, rest) != "none");
    }
    REQUIRE(found == meant.texts);
  }
}

TEST_CASE("equal expressions have equal ids", "[grammar][regular]") {
  Budget budget;
  RegularPool pool(budget);
  const Regular a = pool.literal("a");
  const Regular b = pool.literal("b");
  CHECK(pool.any_of(a, b) == pool.bytes(ByteSet::range('a', 'b')));
  CHECK(pool.concat(a, Regular::kEmptyText) == a);
  CHECK(pool.any_of({pool.literal("ab"), pool.literal("cd"), pool.literal("ab")}) ==
        pool.any_of(pool.literal("cd"), pool.literal("ab")));
  CHECK(pool.complement(pool.complement(a)) == a);
  CHECK(pool.repeat(pool.repeat(a, 1, 1000), 1, 1000) == pool.repeat(a, 1, 1'000'000));
  CHECK(pool.repeat(pool.concat(pool.repeat(a, 1, {}), pool.repeat(a, 1, {})), 1, {}) == pool.repeat(a, 2, {}));
  CHECK(pool.all_of(pool.repeat(a, 2, 9), pool.repeat(pool.any_of(a, b), 0, 5)) == pool.repeat(a, 2, 5));
  CHECK(pool.all_of(pool.repeat(a, 0, 3), pool.repeat(a, 4, {})) == Regular::kNothing);
  CHECK(pool.all_of(a, pool.complement(a)) == Regular::kNothing);
  CHECK(pool.all_of({}) == pool.everything());
  CHECK(pool.any_of({}) == Regular::kNothing);
}

TEST_CASE("an empty intersection is found even if many derivatives must be explored", "[grammar][regular]") {
  Budget budget;
  RegularPool pool(budget);
  const Regular letter = pool.bytes(ByteSet::range('a', 'b'));
  const Regular letters = pool.repeat(letter, 0, {});
  const auto multiple_of = [&](std::uint32_t count) { return pool.repeat(pool.repeat(letter, count, count), 1, {}); };
  CHECK_FALSE(pool.is_nothing(pool.all_of(multiple_of(7), multiple_of(11))));
  CHECK(shortest_text(pool, pool.all_of(multiple_of(7), multiple_of(11))).size() == 77);
  const Regular limited = pool.repeat(letter, 1, 76);
  CHECK(pool.is_nothing(pool.all_of({multiple_of(7), multiple_of(11), limited})));
  // Empty: texts that end in a, but not in a or b.
  const Regular ends_in_a = pool.concat(letters, pool.literal("a"));
  CHECK(pool.is_nothing(pool.all_of(ends_in_a, pool.complement(pool.concat(letters, letter)))));
  CHECK(pool.derive(pool.any_of(pool.literal("c"), pool.all_of(ends_in_a, pool.complement(pool.concat(letters, letter)))), 'a') ==
        Regular::kNothing);
}

TEST_CASE("counts are not unrolled", "[grammar][regular]") {
  Budget budget;
  RegularPool pool(budget);
  const Regular any = any_character(pool, Spelling::raw);
  const Regular counted = pool.concat({pool.literal("\""), pool.repeat(any, 3, 100'000), pool.literal("\"")});
  const std::size_t before = pool.size();
  const Regular inside = after(pool, counted, "\"abc");
  CHECK(pool.size() < before + 200);
  const auto found = pool.counted(inside);
  REQUIRE(found);
  CHECK(found->character == any);
  CHECK(found->min == 0);
  CHECK(found->max == 99'997);
  CHECK(found->rest == pool.literal("\""));
  CHECK_FALSE(pool.counted(after(pool, counted, "\"\xC3")));

  // Texts with both limits and a pattern, in all states.
  const Regular pattern = pool.concat({pool.repeat(any, 0, {}), pool.literal("x"), pool.repeat(any, 0, {})});
  const Regular both = pool.all_of(pattern, pool.repeat(any, 5000, 10'000));
  CHECK_FALSE(pool.is_nothing(both));
  std::string text(4999, 'a');
  CHECK_FALSE(matches(pool, both, text + "a"));
  CHECK_FALSE(matches(pool, both, text.substr(1) + "x"));
  CHECK(matches(pool, both, text + "x"));
  CHECK(after(pool, both, text + text + "aa") == Regular::kNothing);
  CHECK(after(pool, both, text + text + "a") != Regular::kNothing);
}

TEST_CASE("each prefix has a completion of at most most_left characters", "[grammar][regular]") {
  Budget budget;
  RegularPool pool(budget);
  const Regular any = pool.characters(CodePoints::all(), Spelling::raw);
  const Regular limit = pool.repeat(any, 0, 1000);
  const auto whole = [&](std::string_view pattern) { return parse_regex(pool, pattern, Spelling::raw, Anchoring::whole); };
  for (const char* pattern :
       {"(?:\\S+\\s+){0,4}\\S+", "(?:ab){2,}a?", "a*b{3}(?:a|b a|)", "(?:a{2,}|b(?:a|b){3})*b", ".*aab", "(?:(?:ab){2} ){3,}"}) {
    INFO(pattern);
    const auto found = pool.limited(pool.concat(pool.all_of(whole(pattern), limit), whole("!")));
    REQUIRE(found);
    CHECK(found->texts == whole(pattern));
    CHECK(found->max == 1000);
    CHECK(found->rest == whole("!"));
    CHECK(found->most_left < 20);
    std::vector<Regular> begun = {found->texts};
    for (std::size_t i = 0; i < begun.size() && i < 2000; ++i) {
      CHECK(shortest_text(pool, begun[i]).size() <= found->most_left);
      for (const char byte : std::string_view("ab ")) {
        const Regular next = pool.derive(begun[i], static_cast<std::uint8_t>(byte));
        if (next != Regular::kNothing && std::ranges::find(begun, next) == begun.end()) begun.push_back(next);
      }
    }
  }
  // Not if texts may be too short, have another spelling, or an unknown distance to their end.
  CHECK_FALSE(pool.limited(pool.all_of(whole("(?:ab)*"), pool.repeat(any, 3, 1000))));
  CHECK_FALSE(pool.limited(pool.all_of(pool.repeat(pool.bytes(ByteSet::range('a', 'b')), 0, {}), limit)));
  CHECK_FALSE(pool.limited(pool.all_of(pool.complement(whole("a")), limit)));
}

TEST_CASE("a long list of words is merged letter by letter", "[grammar][regular]") {
  Budget budget;
  RegularPool pool(budget);
  std::mt19937 random(1);
  std::vector<Regular> words;
  std::vector<std::string> texts;
  for (int i = 0; i < 2000; ++i) {
    std::string word = "w";
    for (int j = 0; j < 8; ++j) word += static_cast<char>('a' + random() % 26);
    texts.push_back(word);
    words.push_back(pool.literal(word));
  }
  const Regular list = pool.any_of(words);
  for (int i = 0; i < 100; ++i) CHECK(matches(pool, list, texts[static_cast<std::size_t>(i)]));
  CHECK_FALSE(matches(pool, list, texts.front() + "a"));
  CHECK(budget.left() > Budget::kSteps * 9 / 10);
}

TEST_CASE("too large expressions are refused, and the pool stays usable", "[grammar][regular]") {
  Budget budget(200'000);
  RegularPool pool(budget);
  const Regular a = pool.literal("a");
  const Regular letter = pool.bytes(ByteSet::range('a', 'b'));
  const auto refused = [](auto work) -> std::string {
    try {
      work();
    } catch (const Refusal& refusal) {
      return refusal.code;
    }
    return "";
  };
  const auto multiple_of = [&](std::uint32_t count) { return pool.repeat(pool.repeat(letter, count, count), 1, {}); };
  const Regular hard = pool.all_of({multiple_of(997), multiple_of(991), multiple_of(983)});
  CHECK(refused([&] { pool.is_nothing(hard); }) == "too-large");
  budget.refill();
  CHECK(matches(pool, pool.repeat(a, 2, 3), "aa"));
  CHECK(refused([&] { pool.repeat(a, 0, 4'294'967'295); }) == "too-large");
  Regular nested = a;
  CHECK(refused([&] {
          for (int i = 0; i < 10'000; ++i) nested = pool.complement(pool.concat(nested, a));
        }) == "too-large");
}
