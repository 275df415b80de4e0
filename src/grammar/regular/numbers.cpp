#include "grammar/regular/numbers.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "grammar/refusal.hpp"
#include "grammar/regular/multiples.hpp"
#include "grammar/regular/naturals.hpp"

namespace heed::grammar {
namespace {

/// The most digits that a limit may have before the point, and after it.
constexpr std::int64_t kMostDigits = 1000;

/// Limits of absolute values.
struct Magnitudes {
  std::optional<NumberLimits::Limit> lower, upper;  // not negative
};

void check_size(const Decimal& value) {
  if (value.integer_digits() > kMostDigits || value.exponent() < -kMostDigits)
    throw Refusal{"too-large", "", "", "a limit of numbers has more than " + std::to_string(kMostDigits) + " digits"};
}

/// The spellings of numbers that are not less, or not greater, than a limit: compares digit by digit.
class Comparison {
 public:
  Comparison(RegularPool& pool, bool integer) : pool_(pool), integer_(integer) {}

  Regular all() { return pool_.concat(pool_.any_of(pool_.literal("0"), from_one()), fraction()); }

  Regular at_least(const NumberLimits::Limit& limit) {
    if (limit.value.zero()) return limit.exclusive ? above_zero() : all();
    const auto [whole, part] = split(limit.value);
    // What may follow digits that equal the limit's.
    Regular rest;
    if (integer_) {
      rest = part.empty() && !limit.exclusive ? Regular::kEmptyText : Regular::kNothing;
    } else {
      const Regular more = pool_.concat({digits(0), digit('1', '9'), digits(0)});
      rest = limit.exclusive ? more : digits(0);
      for (std::size_t i = part.size(); i-- > 0;)
        rest = pool_.any_of(pool_.concat(digit(part[i] + 1, '9'), digits(0)), pool_.concat(digit(part[i], part[i]), rest));
      rest = pool_.concat(pool_.literal("."), part.empty() && !limit.exclusive ? pool_.repeat(digit('0', '9'), 1, {}) : rest);
      if (part.empty() && !limit.exclusive) rest = pool_.optional(rest);
    }
    for (std::size_t i = whole.size(); i-- > 0;) {
      const Regular larger = pool_.concat({digit(whole[i] + 1, '9'), exactly(whole.size() - 1 - i), fraction()});
      rest = pool_.any_of(larger, pool_.concat(digit(whole[i], whole[i]), rest));
    }
    const Regular longer = pool_.concat({digit('1', '9'), digits(whole.size()), fraction()});
    return pool_.any_of(rest, longer);
  }

  Regular at_most(const NumberLimits::Limit& limit) {
    const auto [whole, part] = split(limit.value);
    Regular rest = limit.exclusive ? Regular::kNothing : Regular::kEmptyText;
    if (integer_) {
      if (!part.empty()) rest = Regular::kEmptyText;
    } else if (part.empty()) {
      if (!limit.exclusive) rest = pool_.optional(pool_.concat(pool_.literal("."), pool_.repeat(digit('0', '0'), 1, {})));
    } else {
      if (!limit.exclusive) rest = pool_.repeat(digit('0', '0'), 0, {});
      for (std::size_t i = part.size(); i-- > 0;) {
        rest = pool_.any_of(pool_.concat(digit('0', part[i] - 1), digits(0)), pool_.concat(digit(part[i], part[i]), rest));
        if (i > 0) rest = pool_.any_of(rest, Regular::kEmptyText);  // the limit's further digits are not all zero
      }
      rest = pool_.optional(pool_.concat(pool_.literal("."), rest));
    }
    for (std::size_t i = whole.size(); i-- > 0;) {
      const char smallest = i == 0 && whole.size() > 1 ? '1' : '0';
      const Regular smaller = pool_.concat({digit(smallest, whole[i] - 1), exactly(whole.size() - 1 - i), fraction()});
      rest = pool_.any_of(smaller, pool_.concat(digit(whole[i], whole[i]), rest));
    }
    if (whole.size() == 1) return rest;
    const Regular shorter = pool_.concat(digit('1', '9'), pool_.repeat(digit('0', '9'), 0, whole.size() - 2));
    return pool_.any_of(rest, pool_.concat(pool_.any_of(pool_.literal("0"), shorter), fraction()));
  }

 private:
  struct Digits {
    std::string whole, part;
  };

  /// The digits before the point, at least "0", and after it.
  static Digits split(const Decimal& value) {
    std::string digits = value.digits();
    if (value.exponent() > 0) digits.append(static_cast<std::size_t>(value.exponent()), '0');
    const std::int64_t point = value.integer_digits();
    if (point <= 0) return {"0", std::string(static_cast<std::size_t>(-point), '0') + digits};
    return {digits.substr(0, static_cast<std::size_t>(point)), digits.substr(static_cast<std::size_t>(point))};
  }

  /// kNothing if first > last.
  Regular digit(int first, int last) {
    if (first > last) return Regular::kNothing;
    return pool_.bytes(ByteSet::range(static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last)));
  }
  Regular digits(std::size_t at_least) { return pool_.repeat(digit('0', '9'), at_least, {}); }
  Regular exactly(std::size_t count) { return pool_.repeat(digit('0', '9'), count, count); }
  Regular from_one() { return pool_.concat(digit('1', '9'), digits(0)); }
  Regular fraction() { return integer_ ? Regular::kEmptyText : pool_.optional(pool_.concat(pool_.literal("."), digits(1))); }
  Regular above_zero() {
    const Regular below_one = pool_.concat({pool_.literal("0."), digits(0), digit('1', '9'), digits(0)});
    return pool_.any_of(pool_.concat(from_one(), fraction()), integer_ ? Regular::kNothing : below_one);
  }

  RegularPool& pool_;
  bool integer_;
};

Regular compared(RegularPool& pool, const Magnitudes& magnitudes, bool integer) {
  Comparison comparison(pool, integer);
  if (!magnitudes.lower && !magnitudes.upper) return comparison.all();
  const Regular above = magnitudes.lower ? comparison.at_least(*magnitudes.lower) : pool.everything();
  const Regular below = magnitudes.upper ? comparison.at_most(*magnitudes.upper) : pool.everything();
  const Regular both = pool.all_of(above, below);
  return pool.is_nothing(both) ? Regular::kNothing : both;
}

/// The value in units of 10^-scale, which must be an integer.
Natural scaled(const Decimal& value, std::size_t scale) {
  return Natural(value.digits()) *
         Natural::power_of_ten(static_cast<std::size_t>(value.exponent() + static_cast<std::int64_t>(scale)));
}

std::size_t digits_after_point(const Decimal& value) {
  return static_cast<std::size_t>(std::max<std::int64_t>(0, -value.exponent()));
}

/// What numbers must be multiples of: `size`, in units of 10^-scale.
struct Unit {
  Natural size;
  std::size_t scale;
};

Unit least_common_multiple(RegularPool& pool, const NumberLimits& limits) {
  std::size_t scale = 0;
  for (const Decimal& value : limits.multiple_of) scale = std::max(scale, digits_after_point(value));
  std::optional<Natural> common;
  if (limits.integer) common = Natural::power_of_ten(scale);
  for (const Decimal& value : limits.multiple_of) {
    const Natural other = scaled(value, scale);
    common = common ? *common / greatest_common_divisor(*common, other) * other : other;
    const std::size_t digits = common->digits().size();
    pool.budget().spend(digits * digits);
    if (digits > 2 * static_cast<std::size_t>(kMostDigits))
      throw Refusal{"too-large", "multipleOf", "",
                    "the least common multiple has more than " + std::to_string(2 * kMostDigits) + " digits"};
  }
  for (; scale > 0; --scale) {
    const auto [quotient, remainder] = common->divided_by(Natural(10));
    if (!remainder.zero()) break;
    common = quotient;
  }
  return {std::move(*common), scale};
}

struct Quotient {
  Natural whole;
  bool exact;
};

Quotient quotient(const Decimal& value, const Unit& unit) {
  const std::size_t scale = std::max(unit.scale, digits_after_point(value));
  const auto [whole, remainder] = scaled(value, scale).divided_by(unit.size * Natural::power_of_ten(scale - unit.scale));
  return {whole, remainder.zero()};
}

Regular divided(RegularPool& pool, const Magnitudes& magnitudes, const NumberLimits& limits) {
  const Unit unit = least_common_multiple(pool, limits);
  Multiples multiples{.unit = unit.size, .scale = unit.scale, .integer = limits.integer, .least = {}, .most = {}};
  if (magnitudes.lower) {
    const auto [whole, exact] = quotient(magnitudes.lower->value, unit);
    const bool next = magnitudes.lower->exclusive || !exact;
    multiples.least = unit.size * (next ? whole + Natural(1) : whole);
  }
  if (magnitudes.upper) {
    const auto [whole, exact] = quotient(magnitudes.upper->value, unit);
    const bool previous = magnitudes.upper->exclusive && exact;
    if (previous && whole.zero()) return Regular::kNothing;
    multiples.most = unit.size * (previous ? whole - Natural(1) : whole);
    if (*multiples.most < multiples.least) return Regular::kNothing;
  }
  return pool.automaton(std::make_unique<MultiplesAutomaton>(std::move(multiples), pool.budget()));
}

/// The limits of the absolute values of negative or non-negative numbers; nullopt if no such number is within the limits.
std::optional<Magnitudes> magnitudes_of(const NumberLimits& limits, bool negative) {
  auto lower = limits.lower;
  auto upper = limits.upper;
  if (negative) {
    std::swap(lower, upper);
    if (lower) lower->value = -lower->value;
    if (upper) upper->value = -upper->value;
  }
  if (upper && upper->value.negative()) return std::nullopt;
  if (lower && lower->value.negative()) lower.reset();
  return Magnitudes{lower, upper};
}

}  // namespace

Regular number(RegularPool& pool, const NumberLimits& limits) {
  for (const auto& limit : {limits.lower, limits.upper})
    if (limit) check_size(limit->value);
  for (const Decimal& unit : limits.multiple_of) check_size(unit);
  const bool whole = limits.integer &&
                     std::ranges::all_of(limits.multiple_of, [](const Decimal& unit) { return unit == Decimal("1"); });
  const bool comparisons_only = limits.multiple_of.empty() || whole;
  std::vector<Regular> ways;
  for (const bool negative : {false, true}) {
    const auto magnitudes = magnitudes_of(limits, negative);
    if (!magnitudes) continue;
    const Regular spelled = comparisons_only ? compared(pool, *magnitudes, limits.integer) : divided(pool, *magnitudes, limits);
    ways.push_back(negative ? pool.concat(pool.literal("-"), spelled) : spelled);
  }
  const Regular plain = pool.any_of(ways);
  if (limits.integer || limits.lower || limits.upper || !limits.multiple_of.empty()) return plain;
  const auto one_of = [&](std::string_view bytes) {
    ByteSet set;
    for (const char byte : bytes) set.insert(static_cast<std::uint8_t>(byte));
    return pool.bytes(set);
  };
  const Regular exponent = pool.concat({one_of("eE"), pool.optional(one_of("+-")),
                                        pool.repeat(pool.bytes(ByteSet::range('0', '9')), 1, {})});
  return pool.concat(plain, pool.optional(exponent));
}

}  // namespace heed::grammar
