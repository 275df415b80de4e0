#include "tensor/codebooks.hpp"

#include <array>
#include <string_view>

#include "tensor/codebook_gaps.generated.hpp"

namespace heed {
namespace {

constexpr char kNoGap = '#', kLongGap = '~';
constexpr unsigned kLong = 57;

/// Computes entries from the gaps between them. They are numbers of eight digits in base 3, or of four in base 8.
void expand(std::string_view gaps, unsigned levels, unsigned digits, std::uint64_t* entry) noexcept {
  unsigned number = 0;
  for (const char gap : gaps) {
    if (gap == kLongGap) {
      number += kLong;
      continue;
    }
    number += static_cast<unsigned>(gap - kNoGap);
    std::uint64_t bytes = 0;
    unsigned rest = number++;
    for (unsigned i = 0; i < digits; ++i, rest /= levels) bytes |= std::uint64_t{rest % levels} << 8 * i;
    *entry++ = bytes;
  }
}

template <std::size_t kEntries>
struct Entries : std::array<std::uint64_t, kEntries> {
  Entries(std::string_view gaps, unsigned levels, unsigned digits) noexcept { expand(gaps, levels, digits, this->data()); }
};

/// The codebook with these gaps, expanded by the first call.
template <const auto& kGaps, std::size_t kEntries, unsigned kLevels, unsigned kDigits>
std::span<const std::uint64_t> entries() noexcept {
  static const Entries<kEntries> made(kGaps, kLevels, kDigits);
  return made;
}

}  // namespace

std::span<const std::uint64_t> codebook(Codebook book) noexcept {
  switch (book) {
    case Codebook::iq2_xxs: return entries<kIq2XxsGaps, 256, 3, 8>();
    case Codebook::iq2_xs: return entries<kIq2XsGaps, 512, 3, 8>();
    case Codebook::iq2_s: return entries<kIq2SGaps, 1024, 3, 8>();
    case Codebook::iq3_xxs: return entries<kIq3XxsGaps, 256, 8, 4>();
    case Codebook::iq3_s: return entries<kIq3SGaps, 512, 8, 4>();
    case Codebook::iq1: break;
  }
  return entries<kIq1Gaps, 2048, 3, 8>();
}

}  // namespace heed
