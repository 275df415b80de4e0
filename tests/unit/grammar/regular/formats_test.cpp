#include "grammar/regular/formats.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <vector>

#include "grammar/regular/regex_tree.hpp"
#include "unit/grammar/regular/matching.hpp"

using namespace heed::grammar;
using heed::test::matches;

namespace {

struct FormatExamples {
  const char* format;
  std::vector<std::string> valid, invalid;
};

const std::vector<FormatExamples> kFormatExamples = {
    {"date",
     {"2024-02-29", "2000-02-29", "0000-02-29", "1999-12-31"},
     {"2023-02-29", "1900-02-29", "2024-04-31", "2024-13-01", "24-01-01"}},
    {"time",
     {"12:00:00Z", "23:59:60z", "01:29:60.5+01:30", "15:59:60-08:00", "00:00:60+00:01", "22:58:60-01:01", "08:30:06.283185-00:00"},
     {"12:00:00", "24:00:00Z", "23:58:60Z", "22:59:60Z", "15:59:60+08:00", "00:00:60-00:01", "12:00:00+24:00", "12:00:00.Z"}},
    {"date-time",
     {"1990-12-31T23:59:60Z", "2024-02-29t00:00:00.1+05:45"},
     {"2024-02-30T00:00:00Z", "2024-02-29 00:00:00Z", "1998-12-31T23:58:60Z"}},
    {"duration", {"P4Y", "PT0S", "P1Y2M3DT4H5M6S", "P2W", "PT36H"}, {"P", "PT", "P1Y2D", "PT1H2S", "P1", "P1W2D", "P1DT"}},
    {"email",
     {"a@b", "te~st.1+x@example.com", "\"a b\\\"c\"@example.com", "a@[127.0.0.1]", "a@[IPv6:::1]"},
     {"a", "@b", ".a@b", "a.@b", "a..b@c", "a@-b", "a@[127.0.0.300]", "a b@c", "a@b@c"}},
    {"hostname",
     {"a", "www.example.com", "a-b.c1", std::string(63, 'a') + ".b"},
     {"", "-a", "a-", "a..b", "a_b", "xn--x", "ab--c", std::string(64, 'a'),
      "a." + std::string(63, 'b') + "." + std::string(63, 'b') + "." + std::string(63, 'b') + "." + std::string(63, 'b')}},
    {"ipv4", {"0.0.0.0", "255.255.255.255"}, {"256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.5"}},
    {"ipv6",
     {"::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::2:3",
      "1:2:3:4:5:6:1.2.3.4"},
     {":", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::1.2.3", "1.2.3.4::", "fe80::1%eth0"}},
    {"uuid", {"2EB8AA08-aa98-11ea-b4aa-73b441d16380"}, {"2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08aa9811eab4aa73b441d16380"}},
    {"uri",
     {"http://user:pw@example.com:80/a/b?c=d#e", "urn:isbn:1", "mailto:a@b", "http://[::1]/", "ftp://[v1.x]", "a:", "file:///x"},
     {"//example.com", "a b:c", "http:// a", "http://a/%zz", "http://[::1", "1a:b", "/a", "a:#b#c"}},
    {"uri-reference", {"", "/a", "//b/c", "#x", "a/b:c", "?q", "http://a"}, {"\\a", "#a#b", ":", "1:b"}},
    {"uri-template", {"", "http://a/{b}", "{+a.b,c*}{?d:30}", "a'b"}, {"{", "{}", "{a", "a b", "{a:0}", "{a:12345}"}},
    {"json-pointer", {"", "/", "/a~0b/~1", "//é"}, {"a", "/~", "/~2", "#/a"}},
    {"relative-json-pointer", {"0", "10#", "1/a/~0"}, {"", "/a", "01", "-1", "0##", "1#/a"}},
};

}  // namespace

TEST_CASE("formats accept the texts of their RFCs", "[grammar][formats]") {
  for (const auto& [name, valid, invalid] : kFormatExamples) {
    Budget budget;
    RegularPool pool(budget);
    const auto language = format(pool, name, Spelling::raw);
    REQUIRE(language);
    for (const std::string& text : valid) {
      CAPTURE(name, text);
      CHECK(matches(pool, language->texts, text));
      CHECK(matches(pool, language->values, text));
    }
    for (const std::string& text : invalid) {
      CAPTURE(name, text);
      CHECK_FALSE(matches(pool, language->texts, text));
    }
  }
}

TEST_CASE("formats that are not exact have a subset and a superset", "[grammar][formats]") {
  const std::vector<FormatExamples> examples = {
      {"hostname", {"xn--mnchen-3ya.de", "xn--x"}, {"-a", "a_b", "a..b", "1 2", std::string(64, 'a')}},
      {"idn-hostname",
       {"b\xC3\xBC"
        "cher.de",
        "xn--mnchen-3ya.de"},
       {"a b", "a/b", ""}},
      {"idn-email",
       {"a@b\xC3\xBC"
        "cher.de"},
       {"a", "@"}},
      {"regex", {"((a))", "(?=a)"}, {}},
      {"relative-json-pointer", {"2-1", "0+1/a", "1-0#"}, {"a", "/a", "+1"}},
  };
  for (const auto& [name, more, none] : examples) {
    Budget budget;
    RegularPool pool(budget);
    const auto language = format(pool, name, Spelling::raw);
    REQUIRE(language);
    CAPTURE(name);
    CHECK(pool.is_nothing(pool.all_of({language->texts, pool.complement(language->values)})));
    for (const std::string& text : more) {
      CAPTURE(text);
      CHECK_FALSE(matches(pool, language->texts, text));
      CHECK(matches(pool, language->values, text));
    }
    for (const std::string& text : none) {
      CAPTURE(text);
      CHECK_FALSE(matches(pool, language->values, text));
    }
  }
}

TEST_CASE("at every minute of the day a leap second has one offset east of UTC and one west of it", "[grammar][formats]") {
  Budget budget;
  RegularPool pool(budget);
  const Regular time = format(pool, "time", Spelling::raw)->texts;
  const auto two_digits = [](int number) {
    return std::string{static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
  };
  const auto clock = [&](int minutes) { return two_digits(minutes / 60) + ":" + two_digits(minutes % 60); };
  constexpr int kDay = 24 * 60;
  for (int local = 0; local < kDay; local += 7)
    for (int offset = 0; offset < kDay; offset += 11) {
      const std::string begun = clock(local) + ":60";
      CHECK(matches(pool, time, begun + "+" + clock(offset)) == ((local - offset + kDay) % kDay == kDay - 1));
      CHECK(matches(pool, time, begun + "-" + clock(offset)) == ((local + offset) % kDay == kDay - 1));
      CHECK(matches(pool, time, begun + "+" + clock((local + 1) % kDay)));
      CHECK(matches(pool, time, begun + "-" + clock(kDay - 1 - local)));
    }
}

TEST_CASE("a format inside a JSON string is escaped", "[grammar][formats]") {
  Budget budget;
  RegularPool pool(budget);
  const Regular email = format(pool, "email", Spelling::json_canonical)->texts;
  CHECK(matches(pool, email, R"(\"a\\\"b\"@c)"));
  CHECK_FALSE(matches(pool, email, R"("a"@c)"));
}

TEST_CASE("a format that no draft defines is nullopt", "[grammar][formats]") {
  Budget budget;
  RegularPool pool(budget);
  for (const char* name : {"int32", "currency", "", "Date"}) CHECK_FALSE(format(pool, name, Spelling::raw));
}

TEST_CASE("texts of the format regex are regular expressions", "[grammar][formats]") {
  Budget budget;
  RegularPool pool(budget);
  const Regular regex = format(pool, "regex", Spelling::raw)->texts;
  std::mt19937 random(1);
  const std::string characters = "a-z1^$\\.*+?()[]{},|/:d";
  int held = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    for (std::size_t length = 1 + random() % 8; length > 0; --length) text += characters[random() % characters.size()];
    if (!matches(pool, regex, text)) continue;
    ++held;
    CAPTURE(text);
    REQUIRE_NOTHROW(parse_regex_tree(text, budget));
    budget.refill();
  }
  CHECK(held > 1000);
}
