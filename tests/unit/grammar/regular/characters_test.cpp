// All characters in all spellings.
#include "grammar/regular/characters.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <string>

#include "base/utf8.hpp"
#include "grammar/refusal.hpp"
#include "grammar/regular/properties.hpp"
#include "unit/grammar/regular/matching.hpp"

using namespace heed::grammar;
using heed::test::after;
using heed::test::matches;

namespace {

std::string utf8_of(char32_t c) {
  std::string bytes;
  heed::utf8::append(bytes, c);
  return bytes;
}

std::string hexadecimal_escape(char32_t unit) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), unit % 2 == 0 ? "\\u%04x" : "\\u%04X", static_cast<unsigned>(unit));
  return text.data();
}

std::string escape_of(char32_t c) {
  if (c < 0x10000) return hexadecimal_escape(c);
  return hexadecimal_escape(0xD800 + (c - 0x10000) / 0x400) + hexadecimal_escape(0xDC00 + (c - 0x10000) % 0x400);
}

}  // namespace

TEST_CASE("every character has its spellings and no other", "[grammar][characters]") {
  Budget budget(2'000'000'000);
  RegularPool pool(budget);
  const CodePoints some({{0, 0x22}, {0x5B, 0x7FF}, {0x2000, 0x2FFF}, {0xFFF0, 0x103FF}, {0x10FFF0, 0x10FFFF}});
  const Regular raw = pool.characters(some, Spelling::raw);
  const Regular canonical = pool.characters(some, Spelling::json_canonical);
  const Regular any = pool.characters(some, Spelling::json_any);
  for (char32_t c = 0; c <= kLastCodePoint; c += c < 0x3000 ? 1 : 37) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const bool member = some.contains(c);
    const bool needs_escape = c < 0x20 || c == '"' || c == '\\';
    const bool short_escape = c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t';
    const std::string bytes = utf8_of(c);
    const std::string escape = escape_of(c);
    CAPTURE(static_cast<unsigned>(c));
    REQUIRE(matches(pool, raw, bytes) == member);
    REQUIRE(matches(pool, canonical, bytes) == (member && !needs_escape));
    REQUIRE(matches(pool, any, bytes) == (member && !needs_escape));
    REQUIRE(matches(pool, canonical, escape) == (member && c < 0x20 && !short_escape));
    REQUIRE(matches(pool, any, escape) == member);
  }
  const Regular every = any_character(pool, Spelling::json_any);
  for (const char* escape : {"\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"}) CHECK(matches(pool, every, escape));
  CHECK_FALSE(matches(pool, any_character(pool, Spelling::json_canonical), "\\/"));
  for (const char* wrong : {"\\ud83d", "\\ude00", "\\ude00\\ud83d", "\\ud83dx", "\\a", "\\u12", "\"", "\\", "\n"})
    CHECK_FALSE(matches(pool, every, wrong));
}

TEST_CASE("overlong forms, surrogates and values beyond Unicode are not characters", "[grammar][characters]") {
  Budget budget;
  RegularPool pool(budget);
  for (const Spelling spelling : {Spelling::raw, Spelling::json_canonical, Spelling::json_any}) {
    const Regular any = any_character(pool, spelling);
    for (const char* wrong :
         {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xFF"})
      CHECK(after(pool, any, wrong) == Regular::kNothing);
    CHECK(after(pool, any, "\xED\x9F") != Regular::kNothing);
    CHECK_FALSE(pool.accepts_empty(after(pool, any, "\xED\x9F")));
  }
  CHECK_THROWS_AS(text(pool, "a\xFF", Spelling::raw), Refusal);
  CHECK(matches(pool, text(pool, "a\"é", Spelling::json_canonical), "a\\\"é"));
}

TEST_CASE("sets of characters", "[grammar][characters]") {
  const CodePoints some({{'c', 'f'}, {'a', 'd'}, {0xD000, 0xE000}});
  CHECK(some.ranges().size() == 3);
  CHECK(some.contains('e'));
  CHECK_FALSE(some.contains(0xD800));
  CHECK(~~some == some);
  CHECK((some & ~some).empty());
  CHECK((some | ~some) == CodePoints::all());
  CHECK((some & CodePoints::range('b', 'z')) == CodePoints::range('b', 'f'));
}

TEST_CASE("general categories of well-known characters", "[grammar][characters]") {
  const auto is = [](const char* name, char32_t c) { return property(name).value().contains(c); };
  CHECK(is("Lu", U'É'));
  CHECK(is("Lu", U'Ā'));
  CHECK(is("Ll", U'ā'));
  CHECK_FALSE(is("Lu", U'ā'));
  CHECK(is("Titlecase_Letter", U'ǅ'));
  CHECK(is("L", U'漢'));
  CHECK(is("digit", U'٣'));
  CHECK(is("Nl", U'Ⅷ'));
  CHECK(is("No", U'½'));
  CHECK(is("Sc", U'€'));
  CHECK(is("So", U'😀'));
  CHECK(is("Mark", 0x301));
  CHECK(is("Cf", 0x200B));
  CHECK(is("Co", 0xE000));
  CHECK(is("Cn", 0x378));
  CHECK_FALSE(is("Assigned", 0x378));
  CHECK(is("General_Category=Zs", 0xA0));
  CHECK(property("Cs")->empty());
  CodePoints all;
  for (const char* name : {"L", "M", "N", "P", "S", "Z", "C"}) {
    CHECK((all & *property(name)).empty());
    all = all | *property(name);
  }
  CHECK(all == CodePoints::all());
  for (const char* name : {"Script=Greek", "sc=Latin", "Emoji", "lu", "gc=Any", ""}) CHECK_FALSE(property(name));
}
