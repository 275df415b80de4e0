#include "tokenizer/charsmap.hpp"

#include <algorithm>
#include <span>

#include "base/error.hpp"

namespace heed::tokenizer {
namespace {

constexpr const char* kKey = "tokenizer.ggml.precompiled_charsmap";
constexpr std::uint32_t kLabels = 256;
/// In bytes: far more than any replacement in Unicode's normal forms has, and short enough to limit the growth of a text.
constexpr std::size_t kLongestReplacement = 1024;
/// In bytes: limits the time of find(), which runs at each character of a text.
constexpr std::size_t kLongestKey = 1024;

[[noreturn]] void fail(const char* message) { throw Error(ErrorCode::invalid_file, message, kKey); }

// The base of a unit's children is at unit xor offset. The child for a byte is at base xor byte; the child at the base itself means
// the end of a key, and has the offset of the replacement.
std::uint32_t offset(std::uint32_t unit) noexcept { return unit >> 10 << ((unit & 1U << 9) >> 6); }
std::uint32_t label(std::uint32_t unit) noexcept { return unit & (1U << 31 | 0xFF); }
bool has_replacement(std::uint32_t unit) noexcept { return (unit >> 8 & 1) != 0; }
std::uint32_t place(std::uint32_t unit) noexcept { return unit & ~(1U << 31); }

}  // namespace

Charsmap::Charsmap(const formats::Metadata& metadata) {
  const auto* found = metadata.find<formats::Metadata::Integers>(kKey);
  if (!found || found->empty()) return;
  const std::span<const std::int64_t> bytes = *found;
  for (std::int64_t byte : bytes) {
    if (byte < -128 || byte > 255) fail("has values that are not bytes");
  }
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
  };
  constexpr std::size_t kUnit = sizeof(std::uint32_t);
  if (bytes.size() < kUnit || number(0) >= bytes.size() - kUnit) fail("is truncated");
  const std::size_t texts = kUnit + number(0);
  for (std::size_t at = kUnit; at + kUnit <= texts; at += kUnit) units_.push_back(number(at));
  for (std::int64_t byte : bytes.subspan(texts)) texts_.push_back(static_cast<char>(byte));
  check();
}

// Visits all units that a text can reach, so that find() need not check bounds. SentencePiece's maps share suffixes (nmt_nfkc has
// six times as many paths as units), so each base is visited only once; the children of a base depend on nothing else.
void Charsmap::check() const {
  if (units_.empty()) return;
  const auto base_of = [&](std::uint32_t unit) {
    const std::uint32_t base = unit ^ offset(units_[unit]);
    if ((base | (kLabels - 1)) >= units_.size()) fail("points beyond its end");
    return base;
  };
  struct Visit {
    std::uint32_t base;
    std::uint32_t byte = 0;
    std::size_t height = 0;  // length of the longest key suffix below
  };
  std::vector<Visit> path = {{base_of(0)}};
  std::vector<std::uint16_t> visited(units_.size());  // by base: height + 1 once visited, otherwise 0
  const auto reach = [&](std::size_t height) {
    if (path.size() > kLongestKey || height > kLongestKey) fail("contains a cycle, or a key of more than 1024 bytes");
    path.back().height = std::max(path.back().height, height);
  };
  for (;;) {
    Visit& here = path.back();
    if (++here.byte == kLabels) {
      const auto height = static_cast<std::uint16_t>(here.height + 1);
      visited[here.base] = height;
      path.pop_back();
      if (path.empty()) return;
      reach(height);
      continue;
    }
    const std::uint32_t unit = here.base ^ here.byte;
    if (label(units_[unit]) != here.byte) continue;
    const std::uint32_t base = base_of(unit);
    if (has_replacement(units_[unit])) {
      const std::size_t begin = place(units_[base]);
      if (begin >= texts_.size()) fail("points beyond its end");
      const auto text = std::string_view(texts_).substr(begin, kLongestReplacement);
      if (text.find('\0') == text.npos) fail("a replacement is not terminated");
    }
    if (visited[base] == 0) path.push_back({base});
    reach(visited[base]);
  }
}

std::optional<Charsmap::Replacement> Charsmap::find(std::string_view text) const noexcept {
  if (units_.empty()) return std::nullopt;
  std::uint32_t base = offset(units_[0]);
  std::size_t length = 0;
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < text.size() && text[i] != '\0'; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::uint32_t unit = base ^ byte;
    if (label(units_[unit]) != byte) break;
    base = unit ^ offset(units_[unit]);
    if (!has_replacement(units_[unit])) continue;
    length = i + 1;
    begin = place(units_[base]);
  }
  if (length == 0) return std::nullopt;
  const std::string_view rest = std::string_view(texts_).substr(begin);
  return Replacement{length, rest.substr(0, rest.find('\0'))};
}

}  // namespace heed::tokenizer
