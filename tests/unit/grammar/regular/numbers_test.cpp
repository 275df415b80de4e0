// Compares numbers within limits with exact arithmetic on their spellings.
#include "grammar/regular/numbers.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "grammar/refusal.hpp"
#include "grammar/regular/naturals.hpp"
#include "unit/grammar/regular/matching.hpp"

using namespace heed::grammar;
using heed::test::after;
using heed::test::matches;
using heed::test::shortest_text;

namespace {

/// The value in ten-thousandths; nullopt if `text` is not a JSON number without exponent. It has at most four digits after the
/// point.
std::optional<std::int64_t> ten_thousandths(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = point == std::string_view::npos ? "" : text.substr(point + 1);
  if (whole.empty() || (whole.size() > 1 && whole[0] == '0') || (point != std::string_view::npos && part.empty()))
    return std::nullopt;
  std::int64_t value = 0;
  for (const std::string_view digits : {whole, part})
    for (const char digit : digits) {
      if (digit < '0' || digit > '9') return std::nullopt;
      value = 10 * value + (digit - '0');
    }
  for (std::size_t i = part.size(); i < 4; ++i) value *= 10;
  return negative ? -value : value;
}

class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : random_(seed) {}

  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  std::string text() {
    static constexpr std::array<const char*, 9> kParts = {"", "", ".0", ".5", ".25", ".05", ".9999", ".", ".0001"};
    const int largest = below(3) == 0 ? 20 : 320;
    return (below(4) == 0 ? "-" : "") + std::to_string(below(largest)) + kParts[static_cast<std::size_t>(below(kParts.size()))];
  }
  std::string limit() {
    std::string found;
    do found = text();
    while (!ten_thousandths(found));
    return found;
  }

 private:
  std::mt19937 random_;
};

Regular number_within(RegularPool& pool, const char* lower, const char* upper, const char* multiple_of, bool integer = false) {
  NumberLimits limits{.integer = integer, .lower = {}, .upper = {}, .multiple_of = {}};
  if (lower) limits.lower = {Decimal(lower), false};
  if (upper) limits.upper = {Decimal(upper), false};
  if (multiple_of) limits.multiple_of = {Decimal(multiple_of)};
  return number(pool, limits);
}

}  // namespace

TEST_CASE("random limits accept exactly the numbers within them", "[grammar][numbers]") {
  static constexpr std::array<const char*, 10> kUnits = {"2", "3", "7", "10", "0.5", "0.25", "0.0001", "1.5", "12", "1e1"};
  static constexpr std::array<std::int64_t, 10> kUnitValues = {20'000, 30'000, 70'000, 100'000, 5000,
                                                               2500,   1,      15'000, 120'000, 100'000};
  for (unsigned seed = 0; seed < 600; ++seed) {
    RandomNumbers random(seed);
    NumberLimits limits{.integer = random.below(3) == 0, .lower = {}, .upper = {}, .multiple_of = {}};
    std::optional<std::int64_t> lower;
    std::optional<std::int64_t> upper;
    std::vector<std::int64_t> units;
    std::vector<std::string> texts;
    if (random.below(3) != 0) {
      texts.push_back(random.limit());
      limits.lower = {Decimal(texts.back()), random.below(2) == 0};
      lower = *ten_thousandths(texts.back()) + (limits.lower->exclusive ? 1 : 0);
    }
    if (random.below(3) != 0) {
      texts.push_back(random.limit());
      limits.upper = {Decimal(texts.back()), random.below(2) == 0};
      upper = *ten_thousandths(texts.back()) - (limits.upper->exclusive ? 1 : 0);
    }
    for (int count = random.below(3); count > 0; --count) {
      const auto unit = static_cast<std::size_t>(random.below(kUnits.size()));
      limits.multiple_of.emplace_back(kUnits[unit]);
      units.push_back(kUnitValues[unit]);
    }
    CAPTURE(seed);
    Budget budget;
    RegularPool pool(budget);
    const Regular language = number(pool, limits);
    REQUIRE((language == Regular::kNothing) == (shortest_text(pool, language) == "none"));
    for (int i = 0; i < 40; ++i) texts.push_back(random.text());
    for (const std::string& text : texts) {
      CAPTURE(text);
      const auto value = ten_thousandths(text);
      bool valid = value && (!lower || *value >= *lower) && (!upper || *value <= *upper);
      if (limits.integer && text.find('.') != std::string::npos) valid = false;
      for (const std::int64_t unit : units) valid = valid && *value % unit == 0;
      REQUIRE(matches(pool, language, text) == valid);
      const Regular begun = after(pool, language, text.substr(0, text.size() / 2 + 1));
      if (begun != Regular::kNothing) REQUIRE(shortest_text(pool, begun) != "none");
    }
  }
}

TEST_CASE("numbers without limits may have an exponent", "[grammar][numbers]") {
  Budget budget;
  RegularPool pool(budget);
  const Regular any = number(pool, {});
  for (const char* text : {"0", "-0", "-0.0", "12.50", "1e5", "1E-05", "-1.5e+300"}) CHECK(matches(pool, any, text));
  for (const char* text : {"", "-", "01", "1.", ".5", "+1", "1e", "1e+", "0x1", "1.5.2", "NaN"})
    CHECK_FALSE(matches(pool, any, text));
  const Regular integer = number(pool, {.integer = true, .lower = {}, .upper = {}, .multiple_of = {}});
  CHECK(matches(pool, integer, "-120"));
  for (const char* text : {"1.0", "1e2", "00"}) CHECK_FALSE(matches(pool, integer, text));
  CHECK_FALSE(matches(pool, number_within(pool, "0", nullptr, nullptr), "1e2"));
}

TEST_CASE("decimals of any length are compared exactly", "[grammar][numbers]") {
  Budget budget;
  RegularPool pool(budget);
  const Regular up_to_one = number_within(pool, nullptr, "1", nullptr);
  CHECK(matches(pool, up_to_one, "1.0000000000000000000"));
  CHECK_FALSE(matches(pool, up_to_one, "1.0000000000000000001"));
  CHECK(matches(pool, up_to_one, "0." + std::string(5000, '9')));
  CHECK(matches(pool, up_to_one, "-" + std::string(5000, '9')));
  const Regular huge = number_within(pool, "1e308", "1.0000000000000001e308", nullptr);
  CHECK(matches(pool, huge, "1" + std::string(308, '0')));
  CHECK_FALSE(matches(pool, huge, "1" + std::string(307, '0')));
  CHECK(matches(pool, number_within(pool, nullptr, nullptr, "0.123456789"), "0.2469135780000"));
  CHECK_FALSE(matches(pool, number_within(pool, nullptr, nullptr, "0.123456789"), "0.24691357800001"));
  CHECK(matches(pool, number_within(pool, nullptr, nullptr, "1e-8"), "12391239123.00000003"));
  CHECK(matches(pool, number_within(pool, nullptr, nullptr, "1e15"), "-7000000000000000"));
}

TEST_CASE("sparse multiples are found, or refused, without enumeration", "[grammar][numbers]") {
  Budget budget;
  RegularPool pool(budget);
  CHECK(shortest_text(pool, number_within(pool, "1", "2e17", "98765432109876543")) == "98765432109876543");
  CHECK(number_within(pool, "98765432109876544", "197530864219753085", "98765432109876543") == Regular::kNothing);
  const Regular one = number_within(pool, "98765432109876544", "197530864219753086", "98765432109876543");
  CHECK(after(pool, one, "19753086421975308") != Regular::kNothing);
  CHECK(after(pool, one, "19753086421975307") == Regular::kNothing);
  CHECK(after(pool, one, "2") == Regular::kNothing);
  CHECK(number_within(pool, "0.1", "0.9", nullptr, true) == Regular::kNothing);
}

TEST_CASE("spellings are parsed as decimals, and compare by value", "[grammar][numbers]") {
  CHECK(Decimal("1.50e2") == Decimal("150"));
  CHECK(Decimal("-0.0") == Decimal("0"));
  CHECK(Decimal("0.001") == Decimal("1e-3"));
  CHECK(Decimal("-2") < Decimal("-1.9"));
  CHECK(Decimal("0") < Decimal("1e-9"));
  CHECK(Decimal("-1e-9") < Decimal("0"));
  CHECK(Decimal("123") < Decimal("1230"));
  CHECK(Decimal("1.25") < Decimal("1.3"));
  CHECK((-Decimal("5")).negative());
  CHECK(Decimal("15e1").integer());
  CHECK_FALSE(Decimal("1.5").integer());
  for (const char* text : {"", "-", "01", "1.", ".5", "+1", "1e", "1 ", "1e9999999999"}) CHECK_THROWS_AS(Decimal(text), Refusal);
  Budget budget;
  RegularPool pool(budget);
  CHECK_THROWS_AS(number_within(pool, "1e1001", nullptr, nullptr), Refusal);
}

TEST_CASE("long division", "[grammar][numbers]") {
  std::mt19937 random(1);
  const auto digits = [&] {
    std::string text;
    for (std::size_t length = random() % 60; length > 0; --length) text += static_cast<char>('0' + random() % 10);
    return text;
  };
  for (int i = 0; i < 500; ++i) {
    const Natural a(digits());
    const Natural b = Natural(digits()) + Natural(1);
    const auto [quotient, remainder] = a.divided_by(b);
    REQUIRE(remainder < b);
    REQUIRE(quotient * b + remainder == a);
    REQUIRE(Natural(a.digits()) == a);
    REQUIRE((a + b) - b == a);
  }
  CHECK((Natural::power_of_ten(40) - Natural(1)).digits() == std::string(40, '9'));
  CHECK(greatest_common_divisor(Natural("123456789123456789000"), Natural("1000")) == Natural(1000));
}
