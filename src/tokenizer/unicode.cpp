#include "tokenizer/unicode.hpp"

#include <algorithm>
#include <array>

#include "base/leb128.hpp"
#include "tokenizer/unicode_runs.generated.hpp"

namespace heed::tokenizer {
namespace {

// A run is stored as first code point << 3 | number of its category.
constexpr int kCategoryBits = 3;
constexpr std::uint32_t kCategoryNumber = (1 << kCategoryBits) - 1;

struct Runs {
  std::array<std::uint32_t, kUnicodeRunCount> starts;  // ascending
  std::array<Category, 128> ascii;

  Category find(char32_t code_point) const noexcept {
    const auto after = std::upper_bound(starts.begin(), starts.end(), code_point << kCategoryBits | kCategoryNumber);
    return static_cast<Category>(1U << (*(after - 1) & kCategoryNumber));
  }
};

// Unpacks the table (9 KB), which is compact because web pages download it.
Runs unpack() {
  Runs runs;
  const unsigned char* byte = kUnicodeRuns;
  std::uint32_t code_point = 0;
  for (std::uint32_t& start : runs.starts) {
    const std::uint32_t run = read_leb128(byte);
    start = code_point << kCategoryBits | (run & kCategoryNumber);
    code_point += run >> kCategoryBits;
  }
  for (char32_t ascii = 0; ascii < runs.ascii.size(); ++ascii) runs.ascii[ascii] = runs.find(ascii);
  return runs;
}

}  // namespace

Category category(char32_t code_point) noexcept {
  static const Runs runs = unpack();
  if (code_point < runs.ascii.size()) return runs.ascii[code_point];
  return code_point <= 0x10FFFF ? runs.find(code_point) : kUnassigned;
}

}  // namespace heed::tokenizer
