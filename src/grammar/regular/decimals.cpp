#include "grammar/regular/decimals.hpp"

#include <algorithm>
#include <cstddef>

#include "grammar/refusal.hpp"

namespace heed::grammar {
namespace {

constexpr std::int64_t kLargestExponent = 1'000'000'000;

[[noreturn]] void no_number() { throw Refusal{"invalid", "", "", "a number is not spelled as in JSON"}; }

/// Removes the leading digits of `text`, at least one, and returns them.
std::string_view take_digits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  if (count == 0) no_number();
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take_one(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

Decimal::Decimal(std::string_view spelled) {
  negative_ = take_one(spelled, "-");
  digits_ = take_digits(spelled);
  if (digits_.size() > 1 && digits_.front() == '0') no_number();
  if (take_one(spelled, ".")) {
    const std::string_view fraction = take_digits(spelled);
    digits_ += fraction;
    exponent_ -= static_cast<std::int64_t>(fraction.size());
  }
  if (take_one(spelled, "eE")) {
    const bool down = !spelled.empty() && spelled.front() == '-';
    take_one(spelled, "+-");
    std::int64_t exponent = 0;
    for (const char digit : take_digits(spelled))
      exponent = std::min<std::int64_t>(10 * exponent + (digit - '0'), 2 * kLargestExponent);
    exponent_ += down ? -exponent : exponent;
  }
  if (!spelled.empty()) no_number();

  const std::size_t end = digits_.find_last_not_of('0') + 1;  // 0 if all are zeros
  exponent_ += static_cast<std::int64_t>(digits_.size() - end);
  digits_.resize(end);
  digits_.erase(0, std::min(digits_.find_first_not_of('0'), digits_.size()));
  if (digits_.empty()) {
    negative_ = false;
    exponent_ = 0;
  }
  if (exponent_ > kLargestExponent || exponent_ < -kLargestExponent)
    throw Refusal{"too-large", "", "", "a number's exponent is beyond 10^9"};
}

Decimal Decimal::magnitude() const {
  Decimal result = *this;
  result.negative_ = false;
  return result;
}

Decimal Decimal::operator-() const {
  Decimal result = *this;
  result.negative_ = !negative_ && !zero();
  return result;
}

std::strong_ordering Decimal::operator<=>(const Decimal& other) const {
  if (negative_ != other.negative_) return other.negative_ <=> negative_;
  if (negative_) return -other <=> -*this;
  if (zero() || other.zero()) return other.zero() <=> zero();
  if (integer_digits() != other.integer_digits()) return integer_digits() <=> other.integer_digits();
  return digits_ <=> other.digits_;  // if one is a prefix of the other, the longer is greater: its last digit is not 0
}

}  // namespace heed::grammar
