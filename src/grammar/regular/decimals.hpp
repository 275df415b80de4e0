// Exact decimal numbers of any length.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace heed::grammar {

/// digits * 10^exponent, normalized: digits neither begin nor end with 0, and are empty for zero.
class Decimal {
 public:
  Decimal() = default;
  /// Parses a JSON number such as "-12.50e3". Throws Refusal: invalid if it is malformed, too-large for an exponent beyond 10^9.
  explicit Decimal(std::string_view spelled);

  bool negative() const { return negative_; }
  bool zero() const { return digits_.empty(); }
  bool integer() const { return zero() || exponent_ >= 0; }
  const std::string& digits() const { return digits_; }
  std::int64_t exponent() const { return exponent_; }
  /// The number of digits before the point; if negative, minus the number of zeros after it.
  std::int64_t integer_digits() const { return static_cast<std::int64_t>(digits_.size()) + exponent_; }

  Decimal magnitude() const;
  Decimal operator-() const;
  std::strong_ordering operator<=>(const Decimal& other) const;
  bool operator==(const Decimal&) const = default;

 private:
  bool negative_ = false;
  std::string digits_;
  std::int64_t exponent_ = 0;
};

}  // namespace heed::grammar
