#include "grammar/schema/number_spellings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heed::grammar {
namespace {

// The number without an exponent.
std::string written_out(const Decimal& number) {
  const std::string& digits = number.digits();
  const std::int64_t point = number.integer_digits();
  const auto count = static_cast<std::int64_t>(digits.size());
  std::string out = number.negative() ? "-" : "";
  if (point <= 0) return out + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (point >= count) return out + digits + std::string(static_cast<std::size_t>(point - count), '0');
  return out + digits.substr(0, static_cast<std::size_t>(point)) + "." + digits.substr(static_cast<std::size_t>(point));
}

}  // namespace

std::string canonical_number(const Decimal& number) {
  if (number.zero()) return "0";
  const std::int64_t point = number.integer_digits();
  if (point > -6 && point <= 21) return written_out(number);
  std::string out = number.negative() ? "-" : "";
  out += number.digits()[0];
  if (number.digits().size() > 1) out += "." + number.digits().substr(1);
  return out + (point < 1 ? "e-" : "e+") + std::to_string(point < 1 ? 1 - point : point - 1);
}

std::optional<std::string> plain_number(const Decimal& number) {
  if (number.zero()) return "0";
  const std::int64_t point = number.integer_digits(), count = static_cast<std::int64_t>(number.digits().size());
  if (std::max(-point, point - count) > kMaxZeros) return std::nullopt;
  return written_out(number);
}

}  // namespace heed::grammar
