// A set of characters, as sorted ranges of code points. Surrogates are not characters and never in a set.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace heed::grammar {

inline constexpr char32_t kLastCodePoint = 0x10FFFF;

class CodePoints {
 public:
  /// Inclusive.
  struct Range {
    char32_t first, last;
    auto operator<=>(const Range&) const = default;
  };

  CodePoints() = default;
  /// `ranges` may be unsorted and overlap.
  explicit CodePoints(std::vector<Range> ranges);
  static CodePoints range(char32_t first, char32_t last) { return CodePoints({{first, last}}); }
  static CodePoints of(char32_t code_point) { return range(code_point, code_point); }
  static CodePoints all() { return range(0, kLastCodePoint); }

  bool empty() const { return ranges_.empty(); }
  bool contains(char32_t code_point) const;
  /// Sorted and not adjacent.
  std::span<const Range> ranges() const { return ranges_; }

  CodePoints operator~() const;
  CodePoints operator|(const CodePoints& other) const;
  CodePoints operator&(const CodePoints& other) const;
  bool operator==(const CodePoints&) const = default;

 private:
  std::vector<Range> ranges_;
};

}  // namespace heed::grammar
