#include "grammar/regular/multiples.hpp"

#include <algorithm>
#include <utility>

namespace heed::grammar {
namespace {

/// The digit before the last `count` digits; 0 if the number is shorter.
std::uint32_t digit_before(const std::string& digits, std::size_t count) {
  return count < digits.size() ? static_cast<std::uint32_t>(digits[digits.size() - 1 - count] - '0') : 0;
}

Natural last_digits(const std::string& digits, std::size_t count) {
  return Natural(std::string_view(digits).substr(digits.size() - std::min(count, digits.size())));
}

}  // namespace

MultiplesAutomaton::MultiplesAutomaton(Multiples multiples, Budget& budget)
    : multiples_(std::move(multiples)), budget_(budget), least_(multiples_.least.digits()) {
  if (multiples_.most) most_ = multiples_.most->digits();
  key_ = "multiples of " + multiples_.unit.digits() + (multiples_.integer ? " as integers, " : ", ") +
         std::to_string(multiples_.scale) + " after the point, from " + least_ + (multiples_.most ? " to " + most_ : "");
  const std::size_t longest = std::max(least_.size(), most_.size());
  longest_ = static_cast<std::uint32_t>(longest > multiples_.scale ? longest - multiples_.scale : 0) + 1;
  number_of({});
}

std::uint8_t MultiplesAutomaton::class_of(std::uint8_t byte) const {
  if (byte >= '0' && byte <= '9') return static_cast<std::uint8_t>(byte - '0');
  return byte == '.' ? 10 : 11;
}

std::uint32_t MultiplesAutomaton::number_of(const Prefix& prefix) {
  const auto [found, added] = numbers_.emplace(prefix, static_cast<std::uint32_t>(prefixes_.size()));
  if (added) {
    prefixes_.push_back(found);
    accepted_.push_back(can_end(prefix));
  }
  return found->second;
}

std::uint32_t MultiplesAutomaton::step(std::uint32_t state, std::uint8_t byte) {
  budget_.spend(8);
  const auto prefix = next(prefixes_[state]->first, byte);
  if (!prefix || !(can_end(*prefix) || can_go_on(*prefix))) return kDead;
  return number_of(*prefix);
}

std::optional<MultiplesAutomaton::Prefix> MultiplesAutomaton::next(const Prefix& prefix, std::uint8_t byte) const {
  if (byte == '.') {
    const bool number = prefix.phase == Phase::zero || prefix.phase == Phase::integer;
    return number && !multiples_.integer ? after_point(prefix) : std::nullopt;
  }
  if (byte < '0' || byte > '9' || prefix.phase == Phase::zero) return std::nullopt;
  return with_digit(prefix, byte - std::uint32_t{'0'});
}

std::optional<MultiplesAutomaton::Prefix> MultiplesAutomaton::with_digit(Prefix prefix, std::uint32_t digit) const {
  const auto compare = [&](Side& side, const std::string& limit, std::size_t digits_after) {
    if (side != Side::equal) return;
    const std::uint32_t other = digit_before(limit, digits_after);
    side = digit < other ? Side::below : digit == other ? Side::equal : Side::above;
  };
  if (prefix.phase == Phase::begin && digit == 0) {
    prefix.phase = Phase::zero;
    return prefix;
  }
  if (prefix.phase == Phase::begin || prefix.phase == Phase::integer) {
    prefix.phase = Phase::integer;
    // Compares with the leading digits of the limits, as the number of further digits is not known yet.
    if (prefix.digits < least_.size()) compare(prefix.least, least_, least_.size() - 1 - prefix.digits);
    if (prefix.digits < most_.size()) compare(prefix.most, most_, most_.size() - 1 - prefix.digits);
    prefix.digits = std::min(prefix.digits + 1, longest_);
    if (prefix.digits + multiples_.scale > least_.size()) prefix.least = Side::above;
  } else {
    prefix.phase = Phase::fraction;
    if (prefix.digits == 0) return digit == 0 ? std::optional(prefix) : std::nullopt;
    --prefix.digits;
    compare(prefix.least, least_, prefix.digits);
    compare(prefix.most, most_, prefix.digits);
    if (prefix.least == Side::below || (multiples_.most && prefix.most == Side::above)) return std::nullopt;
  }
  prefix.remainder = (prefix.remainder * Natural(10) + Natural(digit)) % multiples_.unit;
  return prefix;
}

std::optional<MultiplesAutomaton::Prefix> MultiplesAutomaton::after_point(const Prefix& prefix) const {
  const auto limits = tight(prefix, multiples_.scale);
  if (!limits) return std::nullopt;
  Prefix after = prefix;
  after.phase = Phase::point;
  after.digits = static_cast<std::uint32_t>(multiples_.scale);
  after.least = limits->least ? Side::equal : Side::above;
  after.most = limits->most ? Side::equal : Side::below;
  return after;
}

std::optional<MultiplesAutomaton::Tight> MultiplesAutomaton::tight(const Prefix& prefix, std::size_t count) const {
  if (prefix.phase == Phase::point || prefix.phase == Phase::fraction)
    return Tight{prefix.least == Side::equal, multiples_.most && prefix.most == Side::equal};
  // Numbers with more digits are larger; a single zero before the point does not count.
  const std::size_t size = prefix.digits + count;
  Tight result{false, false};
  if (size < least_.size()) return std::nullopt;
  if (prefix.phase != Phase::integer) {
    result.least = true;
    if (multiples_.most) result.most = size >= most_.size();
    return result;
  }
  if (size == least_.size()) {
    if (prefix.least == Side::below) return std::nullopt;
    result.least = prefix.least == Side::equal;
  }
  if (multiples_.most) {
    if (size > most_.size() || (size == most_.size() && prefix.most == Side::above)) return std::nullopt;
    result.most = size == most_.size() && prefix.most == Side::equal;
  }
  return result;
}

/// Whether the number may end here, that is, with zeros in all further places.
bool MultiplesAutomaton::can_end(const Prefix& prefix) const {
  if (prefix.phase == Phase::begin || prefix.phase == Phase::point) return false;
  const std::size_t count = prefix.phase == Phase::fraction ? prefix.digits : multiples_.scale;
  const auto limits = tight(prefix, count);
  if (!limits || (limits->least && !last_digits(least_, count).zero())) return false;
  return (prefix.remainder * Natural::power_of_ten(count) % multiples_.unit).zero();
}

/// Whether further digits can make the number a multiple within the limits.
bool MultiplesAutomaton::can_go_on(const Prefix& prefix) const {
  if (prefix.phase == Phase::point || prefix.phase == Phase::fraction) {
    const auto limits = tight(prefix, prefix.digits);
    return limits && has_multiple(prefix.remainder, prefix.digits, *limits);
  }
  if (prefix.phase == Phase::zero) {
    if (multiples_.integer) return false;
    const auto limits = tight(prefix, multiples_.scale);
    return limits && has_multiple(prefix.remainder, multiples_.scale, *limits);
  }
  if (!multiples_.most) return true;
  for (std::size_t count = multiples_.scale; prefix.digits + count <= most_.size(); ++count) {
    const auto limits = tight(prefix, count);
    if (limits && has_multiple(prefix.remainder, count, *limits)) return true;
  }
  return false;
}

/// Whether some `count` digits, appended to a prefix with this remainder, make a multiple.
bool MultiplesAutomaton::has_multiple(const Natural& remainder, std::size_t count, Tight tight) const {
  budget_.spend(1 + count / 8);
  const Natural& unit = multiples_.unit;
  const Natural first = tight.least ? last_digits(least_, count) : Natural();
  const Natural end = tight.most ? last_digits(most_, count) + Natural(1) : Natural::power_of_ten(count);
  const Natural beyond = (remainder * Natural::power_of_ten(count) + first) % unit;  // the first number's remainder
  return first + (beyond.zero() ? beyond : unit - beyond) < end;
}

}  // namespace heed::grammar
