// Natural numbers of any size, with the operations that remainders need.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::grammar {

class Natural {
 public:
  Natural() = default;
  /// `small` must be below 10^9.
  explicit Natural(std::uint32_t small);
  /// Parses decimal digits; "" is 0.
  explicit Natural(std::string_view digits);
  /// 10^exponent.
  static Natural power_of_ten(std::size_t exponent);

  bool zero() const { return limbs_.empty(); }
  /// Decimal digits; "" for 0.
  std::string digits() const;

  Natural operator+(const Natural& other) const;
  /// Requires *this >= other.
  Natural operator-(const Natural& other) const;
  Natural operator*(const Natural& other) const;
  struct Division;
  /// `divisor` must not be 0.
  Division divided_by(const Natural& divisor) const;
  Natural operator/(const Natural& divisor) const;
  Natural operator%(const Natural& divisor) const;

  std::strong_ordering operator<=>(const Natural& other) const;
  bool operator==(const Natural&) const = default;

 private:
  void trim();

  std::vector<std::uint32_t> limbs_;  // base 10^9, lowest first; the last one is not 0
};

struct Natural::Division {
  Natural quotient, remainder;
};

Natural greatest_common_divisor(Natural a, Natural b);

}  // namespace heed::grammar
