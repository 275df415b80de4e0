#include "grammar/regular/properties.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "base/leb128.hpp"
#include "grammar/regular/unicode_categories.generated.hpp"

namespace heed::grammar {
namespace {

/// A general category or a group of them; `members` has a bit for each category in kCategoryRuns.
struct CategoryName {
  std::string_view name, long_name;
  std::uint32_t members;
};

constexpr std::uint32_t bits(int first, int last) { return (2U << last) - (1U << first); }

constexpr int kPairs = 30;  // in kCategoryRuns: alternating Lu and Ll
constexpr std::uint32_t kCapital = bits(0, 0);
constexpr std::uint32_t kSmall = bits(1, 1);
constexpr std::uint32_t kUnassigned = bits(29, 29);

/// The thirty categories in the order of kCategoryRuns, then their groups.
constexpr std::array<CategoryName, 41> kCategoryNames = {{
    {"Lu", "Uppercase_Letter", kCapital},
    {"Ll", "Lowercase_Letter", kSmall},
    {"Lt", "Titlecase_Letter", bits(2, 2)},
    {"Lm", "Modifier_Letter", bits(3, 3)},
    {"Lo", "Other_Letter", bits(4, 4)},
    {"Mn", "Nonspacing_Mark", bits(5, 5)},
    {"Mc", "Spacing_Mark", bits(6, 6)},
    {"Me", "Enclosing_Mark", bits(7, 7)},
    {"Nd", "Decimal_Number", bits(8, 8)},
    {"Nl", "Letter_Number", bits(9, 9)},
    {"No", "Other_Number", bits(10, 10)},
    {"Pc", "Connector_Punctuation", bits(11, 11)},
    {"Pd", "Dash_Punctuation", bits(12, 12)},
    {"Ps", "Open_Punctuation", bits(13, 13)},
    {"Pe", "Close_Punctuation", bits(14, 14)},
    {"Pi", "Initial_Punctuation", bits(15, 15)},
    {"Pf", "Final_Punctuation", bits(16, 16)},
    {"Po", "Other_Punctuation", bits(17, 17)},
    {"Sm", "Math_Symbol", bits(18, 18)},
    {"Sc", "Currency_Symbol", bits(19, 19)},
    {"Sk", "Modifier_Symbol", bits(20, 20)},
    {"So", "Other_Symbol", bits(21, 21)},
    {"Zs", "Space_Separator", bits(22, 22)},
    {"Zl", "Line_Separator", bits(23, 23)},
    {"Zp", "Paragraph_Separator", bits(24, 24)},
    {"Cc", "Control", bits(25, 25)},
    {"Cf", "Format", bits(26, 26)},
    {"Cs", "Surrogate", bits(27, 27)},
    {"Co", "Private_Use", bits(28, 28)},
    {"Cn", "Unassigned", kUnassigned},
    {"LC", "Cased_Letter", bits(0, 2)},
    {"L", "Letter", bits(0, 4)},
    {"M", "Mark", bits(5, 7)},
    {"N", "Number", bits(8, 10)},
    {"P", "Punctuation", bits(11, 17)},
    {"S", "Symbol", bits(18, 21)},
    {"Z", "Separator", bits(22, 24)},
    {"C", "Other", bits(25, 29)},
    {"digit", "digit", bits(8, 8)},
    {"punct", "punct", bits(11, 17)},
    {"cntrl", "cntrl", bits(25, 25)},
}};

CodePoints of_categories(std::uint32_t members) {
  std::vector<CodePoints::Range> ranges;
  char32_t next = 0;
  const auto take = [&](std::uint32_t category, std::uint32_t length) {
    if ((members >> category & 1) != 0) ranges.push_back({next, next + length - 1});
    next += length;
  };
  for (const unsigned char* byte = kCategoryRuns; byte != std::end(kCategoryRuns);) {
    const std::uint32_t run = read_leb128(byte);
    const std::uint32_t category = run & 31;
    const std::uint32_t length = run >> 5;
    if (category != kPairs) take(category, length);
    else
      for (std::uint32_t i = 0; i < 2 * length; ++i) take(i % 2, 1);
  }
  return CodePoints(std::move(ranges));
}

}  // namespace

std::optional<CodePoints> property(std::string_view name) {
  for (const std::string_view prefix : {"General_Category=", "gc="})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      const bool category = std::ranges::any_of(kCategoryNames, [&](const CategoryName& known) {
        return known.name == name || known.long_name == name;
      });
      if (!category && name != "Combining_Mark") return std::nullopt;
      break;
    }
  if (name == "Any") return CodePoints::all();
  if (name == "ASCII") return CodePoints::range(0, 0x7F);
  if (name == "Assigned") return ~of_categories(kUnassigned);
  if (name == "ASCII_Hex_Digit" || name == "AHex") return CodePoints({{'0', '9'}, {'A', 'F'}, {'a', 'f'}});
  if (name == "Combining_Mark") name = "Mark";
  const auto known = std::ranges::find_if(kCategoryNames,
                                          [&](const CategoryName& each) { return each.name == name || each.long_name == name; });
  if (known == kCategoryNames.end()) return std::nullopt;
  return of_categories(known->members);
}

}  // namespace heed::grammar
