#include "tokenizer/unicode.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string_view>

using namespace heed::tokenizer;

TEST_CASE("categories of well-known characters", "[tokenizer][unicode]") {
  for (char32_t letter : std::u32string_view(U"AZazªµßÿŒжא한中のऄ𝒜𠀀\u02C7")) CHECK(category(letter) == kLetter);
  for (char32_t number : std::u32string_view(U"09²½Ⅷ①٣४𝟘")) CHECK(category(number) == kNumber);
  for (char32_t sign : std::u32string_view(U"!\"#%&'()*,-./:;?@[\\]_{}¡«»‘’“”…、。")) CHECK(category(sign) == kPunctuation);
  for (char32_t symbol : std::u32string_view(U"$+<=>^`|~¢€×÷→∑😀\u02C5")) CHECK(category(symbol) == kSymbol);
  for (char32_t mark : std::u32string_view(U"\u0300\u0301\u05B0\u093F\u0E34\u20DD\uFE0F")) CHECK(category(mark) == kMark);
  for (char32_t control : std::u32string_view(U"\u0001\u001C\u001F\u007F\u00AD\u200B\u200D\uFEFF\uE000"))
    CHECK(category(control) == kControl);
  CHECK(category(0xD800) == kControl);
  for (char32_t unassigned : std::u32string_view(U"\u0378\uFFFF\U000E0FFF")) CHECK(category(unassigned) == kUnassigned);
}

TEST_CASE("white space is the 25 characters of the property White_Space", "[tokenizer][unicode]") {
  std::u32string spaces;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (category(c) == kSpace) spaces.push_back(c);
  }
  CHECK(spaces ==
        U"\t\n\v\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A"
        U"\u2028\u2029\u202F\u205F\u3000");
}

TEST_CASE("as many characters in each category as DerivedGeneralCategory-15.1.0.txt counts", "[tokenizer][unicode]") {
  std::array<int, 8> counts{};
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    int number = 0;
    while (category(c) != 1 << number) ++number;
    ++counts[static_cast<std::size_t>(number)];
  }
  CHECK(counts[0] == 1831 + 2233 + 31 + 397 + 132234);    // Lu Ll Lt Lm Lo
  CHECK(counts[1] == 680 + 236 + 915);                    // Nd Nl No
  CHECK(counts[2] == 10 + 26 + 79 + 77 + 12 + 10 + 628);  // Pc Pd Ps Pe Pi Pf Po
  CHECK(counts[3] == 948 + 63 + 125 + 6639);              // Sm Sc Sk So
  CHECK(counts[4] == 1985 + 452 + 13);                    // Mn Mc Me
  CHECK(counts[5] == 25);
  CHECK(counts[6] == 65 - 6 + 170 + 2048 + 137468);  // Cc (6 are white space) Cf Cs Co
  CHECK(category(0x110000) == kUnassigned);
  CHECK(category(0xFFFFFFFF) == kUnassigned);
}
