#include "tokenizer/letters.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/leb128.hpp"
#include "tokenizer/unicode_letters.generated.hpp"

namespace heed::tokenizer {
namespace {

struct CapitalRun {
  char32_t first, last;
  char32_t apart;  // step between capitals: 1 or 2
  std::int32_t distance;
};

// Stored compactly and unpacked once, like the categories (unicode.cpp).
struct Letters {
  std::array<char32_t, kBaseLetterCount> composed, bases;  // composed[i] has the base bases[i]; ascending
  std::array<CapitalRun, kLowerCaseRunCount> capitals;     // ascending

  Letters() {
    const unsigned char* byte = kBaseLetters;
    char32_t before = 0;
    for (char32_t& letter : composed) before = letter = before + read_leb128(byte);
    before = 0;
    for (char32_t& base : bases) before = base = before + static_cast<char32_t>(read_zigzag(byte));
    byte = kLowerCaseRuns;
    before = 0;
    for (CapitalRun& run : capitals) {
      run.first = before += read_leb128(byte);
      const std::uint32_t packed = read_leb128(byte);
      run.apart = 1 + (packed & 1);
      run.last = run.first + (packed >> 1) * run.apart;
      run.distance = read_zigzag(byte);
    }
  }
};

const Letters& letters() {
  static const Letters unpacked;
  return unpacked;
}

}  // namespace

char32_t lower_case(char32_t code_point) noexcept {
  if (code_point < 0x80) return code_point >= 'A' && code_point <= 'Z' ? code_point + ('a' - 'A') : code_point;
  const auto& capitals = letters().capitals;
  auto run = std::upper_bound(capitals.begin(), capitals.end(), code_point,
                              [](char32_t c, const CapitalRun& r) { return c < r.first; });
  if (run == capitals.begin()) return code_point;
  --run;
  if (code_point > run->last || (code_point - run->first) % run->apart != 0) return code_point;
  return code_point + static_cast<char32_t>(run->distance);
}

char32_t base_letter(char32_t code_point) noexcept {
  constexpr char32_t kFirstSyllable = 0xAC00, kLastSyllable = 0xD7A3, kFirstConsonant = 0x1100;
  constexpr char32_t kSyllablesPerConsonant = 21 * 28;
  if (code_point < 0xC0) return code_point;
  if (code_point >= kFirstSyllable && code_point <= kLastSyllable)
    return kFirstConsonant + (code_point - kFirstSyllable) / kSyllablesPerConsonant;
  const auto& [composed, bases, capitals] = letters();
  const auto found = std::lower_bound(composed.begin(), composed.end(), code_point);
  if (found == composed.end() || *found != code_point) return code_point;
  return bases[static_cast<std::size_t>(found - composed.begin())];
}

}  // namespace heed::tokenizer
