#include "grammar/regular/characters.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/utf8.hpp"
#include "grammar/refusal.hpp"

namespace heed::grammar {
namespace {

/// Ranges of numbers with a fixed number of digits. `digit(from, to, place)` is the expression of a range of digits; `place` counts
/// from the right.
template <class Digit>
class Digits {
 public:
  Digits(RegularPool& pool, std::uint32_t base, Digit digit) : pool_(pool), base_(base), digit_(digit) {}

  /// Numbers from `first` to `last` with `count` digits.
  Regular between(std::uint32_t first, std::uint32_t last, unsigned count) {
    if (count == 0) return Regular::kEmptyText;
    std::uint32_t unit = 1;
    for (unsigned i = 1; i < count; ++i) unit *= base_;
    std::uint32_t low = first / unit;
    std::uint32_t high = last / unit;
    const auto part = [&](std::uint32_t from, std::uint32_t to, std::uint32_t rest_first, std::uint32_t rest_last) {
      return pool_.concat(digit_(from, to, count - 1), between(rest_first, rest_last, count - 1));
    };
    if (low == high) return part(low, high, first % unit, last % unit);
    std::vector<Regular> parts;
    if (first % unit != 0) {
      parts.push_back(part(low, low, first % unit, unit - 1));
      ++low;
    }
    if (last % unit != unit - 1) {
      parts.push_back(part(high, high, 0, last % unit));
      --high;
    }
    if (low <= high) parts.push_back(part(low, high, 0, unit - 1));
    return pool_.any_of(parts);
  }

 private:
  RegularPool& pool_;
  std::uint32_t base_;
  Digit digit_;
};

Regular byte_range(RegularPool& pool, std::uint32_t first, std::uint32_t last) {
  return pool.bytes(ByteSet::range(static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last)));
}

constexpr char32_t kFirstSupplementary = 0x10000;

/// Calls `part` with the intersection of a range and [first, last], unless it is empty.
template <class Part>
void clip(CodePoints::Range range, char32_t first, char32_t last, Part part) {
  first = std::max(first, range.first);
  last = std::min(last, range.last);
  if (first <= last) part(first, last);
}

void add_utf8(RegularPool& pool, CodePoints::Range range, std::vector<Regular>& out) {
  struct Form {
    char32_t first, last;
    unsigned length;
    std::uint8_t lead;
  };
  static constexpr std::array<Form, 4> kForms = {
      {{0, 0x7F, 1, 0}, {0x80, 0x7FF, 2, 0xC0}, {0x800, 0xFFFF, 3, 0xE0}, {0x10000, 0x10FFFF, 4, 0xF0}}};
  for (const Form& form : kForms) {
    const auto digit = [&](std::uint32_t from, std::uint32_t to, unsigned place) {
      const std::uint32_t bits = place == form.length - 1 ? form.lead : 0x80;
      return byte_range(pool, bits + from, bits + to);
    };
    clip(range, form.first, form.last, [&](char32_t first, char32_t last) {
      out.push_back(form.length == 1 ? byte_range(pool, first, last) : Digits(pool, 64, digit).between(first, last, form.length));
    });
  }
}

Regular hexadecimal(RegularPool& pool, std::uint32_t first, std::uint32_t last) {
  const auto digit = [&](std::uint32_t from, std::uint32_t to, unsigned) {
    ByteSet set;
    for (std::uint32_t value = from; value <= to; ++value) {
      set.insert(static_cast<std::uint8_t>("0123456789abcdef"[value]));
      set.insert(static_cast<std::uint8_t>("0123456789ABCDEF"[value]));
    }
    return pool.bytes(set);
  };
  return pool.concat(pool.literal("\\u"), Digits(pool, 16, digit).between(first, last, 4));
}

/// Adds the spellings \uXXXX; two of them for a character that is a surrogate pair in UTF-16.
void add_hexadecimal(RegularPool& pool, CodePoints::Range range, std::vector<Regular>& out) {
  clip(range, 0, kFirstSupplementary - 1, [&](char32_t first, char32_t last) { out.push_back(hexadecimal(pool, first, last)); });
  clip(range, kFirstSupplementary, kLastCodePoint, [&](char32_t first, char32_t last) {
    const auto surrogate = [&](std::uint32_t from, std::uint32_t to, unsigned place) {
      const std::uint32_t start = place == 1 ? 0xD800 : 0xDC00;
      return hexadecimal(pool, start + from, start + to);
    };
    out.push_back(Digits(pool, 0x400, surrogate).between(first - kFirstSupplementary, last - kFirstSupplementary, 2));
  });
}

struct Escape {
  char32_t code_point;
  char letter;
};
constexpr std::array<Escape, 8> kEscapes = {
    {{'"', '"'}, {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}, {'/', '/'}}};

}  // namespace

Regular spell(RegularPool& pool, const CodePoints& points, Spelling spelling) {
  std::vector<Regular> ways;
  if (spelling == Spelling::raw) {
    for (const auto range : points.ranges()) add_utf8(pool, range, ways);
    return pool.any_of(ways);
  }
  const CodePoints controls = CodePoints::range(0, 0x1F);
  const CodePoints raw = points & ~(controls | CodePoints::of('"') | CodePoints::of('\\'));
  for (const auto range : raw.ranges()) add_utf8(pool, range, ways);
  CodePoints in_hexadecimal = spelling == Spelling::json_any ? points : points & controls;
  for (const auto [code_point, letter] : kEscapes) {
    if (!points.contains(code_point) || (code_point == '/' && spelling == Spelling::json_canonical)) continue;
    const std::array<char, 2> escape = {'\\', letter};
    ways.push_back(pool.literal({escape.data(), escape.size()}));
    if (spelling == Spelling::json_canonical) in_hexadecimal = in_hexadecimal & ~CodePoints::of(code_point);
  }
  for (const auto range : in_hexadecimal.ranges()) add_hexadecimal(pool, range, ways);
  return pool.any_of(ways);
}

Regular any_character(RegularPool& pool, Spelling spelling) { return pool.characters(CodePoints::all(), spelling); }

Regular text(RegularPool& pool, std::string_view utf8, Spelling spelling) {
  std::vector<Regular> characters;
  while (!utf8.empty()) {
    const utf8::Decoded decoded = utf8::decode(utf8);
    if (decoded.sequence != utf8::Sequence::whole) throw Refusal{"invalid", "", "", "a text is not UTF-8"};
    characters.push_back(pool.characters(CodePoints::of(decoded.code_point), spelling));
    utf8.remove_prefix(decoded.length);
  }
  return pool.concat(characters);
}

}  // namespace heed::grammar
