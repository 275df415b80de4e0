#include "grammar/regular/code_points.hpp"

#include <algorithm>
#include <utility>

namespace heed::grammar {
namespace {

constexpr char32_t kBeforeSurrogates = 0xD7FF;
constexpr char32_t kAfterSurrogates = 0xE000;

}  // namespace

CodePoints::CodePoints(std::vector<Range> ranges) {
  std::ranges::sort(ranges);
  const auto add = [&](char32_t first, char32_t last) {
    if (first > last) return;
    const bool joins = !ranges_.empty() && first <= ranges_.back().last + 1;
    if (joins) {
      ranges_.back().last = std::max(ranges_.back().last, last);
    } else {
      ranges_.push_back({first, last});
    }
  };
  for (const auto [first, last] : ranges) {
    add(first, std::min(last, kBeforeSurrogates));
    add(std::max(first, kAfterSurrogates), std::min(last, kLastCodePoint));
  }
}

bool CodePoints::contains(char32_t code_point) const {
  const auto after = std::ranges::upper_bound(ranges_, code_point, {}, &Range::first);
  return after != ranges_.begin() && code_point <= std::prev(after)->last;
}

CodePoints CodePoints::operator~() const {
  std::vector<Range> gaps;
  char32_t next = 0;
  for (const auto [first, last] : ranges_) {
    if (next < first) gaps.push_back({next, first - 1});
    next = last + 1;
  }
  if (next <= kLastCodePoint) gaps.push_back({next, kLastCodePoint});
  return CodePoints(std::move(gaps));
}

CodePoints CodePoints::operator|(const CodePoints& other) const {
  std::vector<Range> both = ranges_;
  both.insert(both.end(), other.ranges_.begin(), other.ranges_.end());
  return CodePoints(std::move(both));
}

CodePoints CodePoints::operator&(const CodePoints& other) const {
  std::vector<Range> common;
  for (auto a = ranges_.begin(), b = other.ranges_.begin(); a != ranges_.end() && b != other.ranges_.end();) {
    const Range range{std::max(a->first, b->first), std::min(a->last, b->last)};
    if (range.first <= range.last) common.push_back(range);
    if (a->last < b->last) ++a;
    else ++b;
  }
  return CodePoints(std::move(common));
}

}  // namespace heed::grammar
