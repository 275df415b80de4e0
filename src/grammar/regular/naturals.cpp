#include "grammar/regular/naturals.hpp"

#include <algorithm>
#include <utility>

namespace heed::grammar {
namespace {

constexpr std::uint32_t kBase = 1'000'000'000;
constexpr std::size_t kDigitsOfLimb = 9;

}  // namespace

Natural::Natural(std::uint32_t small) {
  if (small != 0) limbs_ = {small};
}

Natural::Natural(std::string_view digits) {
  for (std::size_t end = digits.size(); end > 0;) {
    const std::size_t begin = end > kDigitsOfLimb ? end - kDigitsOfLimb : 0;
    std::uint32_t limb = 0;
    for (std::size_t i = begin; i < end; ++i) limb = 10 * limb + static_cast<std::uint32_t>(digits[i] - '0');
    limbs_.push_back(limb);
    end = begin;
  }
  trim();
}

Natural Natural::power_of_ten(std::size_t exponent) {
  Natural result;
  result.limbs_.resize(exponent / kDigitsOfLimb + 1);
  result.limbs_.back() = 1;
  for (std::size_t i = 0; i < exponent % kDigitsOfLimb; ++i) result.limbs_.back() *= 10;
  return result;
}

void Natural::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

std::string Natural::digits() const {
  std::string reversed;
  for (std::uint32_t limb : limbs_)
    for (std::size_t i = 0; i < kDigitsOfLimb; ++i, limb /= 10) reversed += static_cast<char>('0' + limb % 10);
  while (!reversed.empty() && reversed.back() == '0') reversed.pop_back();
  return {reversed.rbegin(), reversed.rend()};
}

Natural Natural::operator+(const Natural& other) const {
  Natural sum;
  std::uint32_t carry = 0;
  for (std::size_t i = 0; i < std::max(limbs_.size(), other.limbs_.size()) || carry != 0; ++i) {
    const std::uint32_t a = i < limbs_.size() ? limbs_[i] : 0;
    const std::uint32_t b = i < other.limbs_.size() ? other.limbs_[i] : 0;
    sum.limbs_.push_back((a + b + carry) % kBase);
    carry = (a + b + carry) / kBase;
  }
  return sum;
}

Natural Natural::operator-(const Natural& other) const {
  Natural difference = *this;
  std::uint32_t borrow = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    const std::uint32_t taken = borrow + (i < other.limbs_.size() ? other.limbs_[i] : 0);
    std::uint32_t& limb = difference.limbs_[i];
    borrow = limb < taken ? 1 : 0;
    limb = limb + borrow * kBase - taken;
  }
  difference.trim();
  return difference;
}

Natural Natural::operator*(const Natural& other) const {
  Natural product;
  product.limbs_.resize(limbs_.size() + other.limbs_.size());
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < other.limbs_.size() || carry != 0; ++j) {
      const std::uint64_t factor = j < other.limbs_.size() ? other.limbs_[j] : 0;
      const std::uint64_t value = product.limbs_[i + j] + limbs_[i] * factor + carry;
      product.limbs_[i + j] = static_cast<std::uint32_t>(value % kBase);
      carry = value / kBase;
    }
  }
  product.trim();
  return product;
}

Natural::Division Natural::divided_by(const Natural& divisor) const {
  Division result;
  Natural& rest = result.remainder;
  result.quotient.limbs_.resize(limbs_.size());
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    rest.limbs_.insert(rest.limbs_.begin(), limbs_[i]);
    rest.trim();
    // Bisects the quotient's digit between the bounds that the highest limbs give.
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    const std::size_t size = divisor.limbs_.size();
    if (rest.limbs_.size() >= size) {
      std::uint64_t head = rest.limbs_.back();
      if (rest.limbs_.size() > size) head = head * kBase + rest.limbs_[rest.limbs_.size() - 2];
      low = head / (std::uint64_t{divisor.limbs_.back()} + 1);
      high = std::min<std::uint64_t>((head + 1) / divisor.limbs_.back(), kBase - 1);
    }
    while (low < high) {
      const std::uint64_t middle = (low + high + 1) / 2;
      if (divisor * Natural(static_cast<std::uint32_t>(middle)) <= rest) low = middle;
      else high = middle - 1;
    }
    result.quotient.limbs_[i] = static_cast<std::uint32_t>(low);
    rest = rest - divisor * Natural(static_cast<std::uint32_t>(low));
  }
  result.quotient.trim();
  return result;
}

Natural Natural::operator/(const Natural& divisor) const { return divided_by(divisor).quotient; }
Natural Natural::operator%(const Natural& divisor) const { return divided_by(divisor).remainder; }

std::strong_ordering Natural::operator<=>(const Natural& other) const {
  if (limbs_.size() != other.limbs_.size()) return limbs_.size() <=> other.limbs_.size();
  return std::lexicographical_compare_three_way(limbs_.rbegin(), limbs_.rend(), other.limbs_.rbegin(), other.limbs_.rend());
}

Natural greatest_common_divisor(Natural a, Natural b) {
  while (!b.zero()) a = std::exchange(b, a % b);
  return a;
}

}  // namespace heed::grammar
