#include "grammar/schema/numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heed::grammar {
namespace {

constexpr std::int64_t kFar = 1'000'000'000;  // exponents beyond it are cut to it, by which no number of a schema changes its place

struct Digits {
  bool negative = false;
  std::string digits;      // without zeros at either end; none for zero
  std::int64_t point = 0;  // the value is 0.DIGITS * 10^point
};

Digits digits_of(std::string_view spelling) {
  Digits number;
  if (spelling.starts_with('-')) {
    number.negative = true;
    spelling.remove_prefix(1);
  }
  const std::size_t mark = std::min(spelling.find_first_of("eE"), spelling.size());
  std::string_view exponent = spelling.substr(std::min(mark + 1, spelling.size()));
  spelling = spelling.substr(0, mark);
  const std::size_t point = std::min(spelling.find('.'), spelling.size());
  number.digits = spelling.substr(0, point);
  number.digits += spelling.substr(std::min(point + 1, spelling.size()));
  number.point = static_cast<std::int64_t>(point);
  const bool below = exponent.starts_with('-');
  if (below || exponent.starts_with('+')) exponent.remove_prefix(1);
  std::int64_t power = 0;
  for (const char digit : exponent) power = std::min(power * 10 + (digit - '0'), kFar);
  number.point += below ? -power : power;
  const std::size_t first = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  number.digits.erase(0, first);
  number.point -= static_cast<std::int64_t>(first);
  number.digits.erase(number.digits.find_last_not_of('0') + 1);
  if (number.digits.empty()) number.negative = false, number.point = 0;
  return number;
}

// Digits with a point between them, or zeros before or behind.
std::string written_out(const std::string& digits, std::int64_t point) {
  const auto count = static_cast<std::int64_t>(digits.size());
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (point >= count) return digits + std::string(static_cast<std::size_t>(point - count), '0');
  return digits.substr(0, static_cast<std::size_t>(point)) + "." + digits.substr(static_cast<std::size_t>(point));
}

}  // namespace

std::string canonical_number(std::string_view spelling) {
  const Digits number = digits_of(spelling);
  if (number.digits.empty()) return "0";
  std::string out = number.negative ? "-" : "";
  if (number.point > -6 && number.point <= 21) return out + written_out(number.digits, number.point);
  out += number.digits[0];
  if (number.digits.size() > 1) out += "." + number.digits.substr(1);
  const std::int64_t exponent = number.point - 1;
  return out + (exponent < 0 ? "e-" : "e+") + std::to_string(exponent < 0 ? -exponent : exponent);
}

std::string plain_number(std::string_view canonical) {
  const Digits number = digits_of(canonical);
  if (number.digits.empty()) return "0";
  if (number.point < -500 || number.point > 500) return {};
  return (number.negative ? "-" : "") + written_out(number.digits, number.point);
}

}  // namespace heed::grammar
