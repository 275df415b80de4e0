#include "base/utf8.hpp"

namespace heed::utf8 {
namespace {

constexpr unsigned char byte_at(std::string_view bytes, std::size_t i) noexcept { return static_cast<unsigned char>(bytes[i]); }

struct Range {
  unsigned char first, last;
};

// The second bytes that are valid after a lead byte: 80..BF without those of overlong forms, surrogates and code points beyond
// U+10FFFF (Unicode Standard, table 3-7).
constexpr Range second_byte(unsigned char lead, Surrogates surrogates) noexcept {
  switch (lead) {
    case 0xE0: return {0xA0, 0xBF};
    case 0xED: return {0x80, static_cast<unsigned char>(surrogates == Surrogates::accepted ? 0xBF : 0x9F)};
    case 0xF0: return {0x90, 0xBF};
    case 0xF4: return {0x80, 0x8F};
    default: return {0x80, 0xBF};
  }
}

}  // namespace

Decoded decode(std::string_view bytes, Surrogates surrogates) noexcept {
  const unsigned char lead = byte_at(bytes, 0);
  if (lead < 0x80) return {lead, 1, Sequence::whole};
  if (lead < 0xC2 || lead > 0xF4) return {};

  const auto length = static_cast<std::uint8_t>(announced_length(bytes[0]));
  char32_t code_point = lead & (0x7F >> length);
  Range allowed = second_byte(lead, surrogates);
  for (std::uint8_t i = 1; i < length; ++i) {
    if (i == bytes.size()) return {kReplacementCharacter, i, Sequence::unfinished};
    const unsigned char byte = byte_at(bytes, i);
    if (byte < allowed.first || byte > allowed.last) return {kReplacementCharacter, i, Sequence::invalid};
    code_point = code_point << 6 | (byte & 0x3F);
    allowed = {0x80, 0xBF};
  }
  return {code_point, length, Sequence::whole};
}

void append(std::string& out, char32_t code_point) {
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  const auto continuation = [&](int shift) { put(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    continuation(0);
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    continuation(6);
    continuation(0);
  } else {
    put(0xF0 | code_point >> 18);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

}  // namespace heed::utf8
