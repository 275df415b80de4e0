#include "tokenizer/letters.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string_view>
#include <utility>

#include "tokenizer/unicode.hpp"

using namespace heed::tokenizer;

namespace {

using LetterPairs = std::u32string_view;  // from and to, in turn

void check_all(char32_t (*change)(char32_t) noexcept, LetterPairs pairs) {
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    INFO(std::hex << static_cast<unsigned>(pairs[i]));
    CHECK(change(pairs[i]) == pairs[i + 1]);
  }
}

int changed(char32_t (*change)(char32_t) noexcept) {
  int count = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) count += change(c) != c;
  return count;
}

}  // namespace

TEST_CASE("capitals have lower case", "[tokenizer][unicode]") {
  check_all(lower_case,
            U"AaZzÀàÞþŸÿĀāŽžƎǝΑαΣσЖжЏџԱաႠⴀᎠꭰẞßΩωⅧⅷⒶⓐＺｚ\U00010400\U00010428İ"
            U"i");
  check_all(lower_case, U"aaßßÿÿ11中中ǅǆ\u0130i\u02B0\u02B0@@[[\U0010FFFF\U0010FFFF");
  CHECK(lower_case(0xFFFFFFFF) == 0xFFFFFFFF);
  CHECK(changed(lower_case) == 1433);  // of UnicodeData-15.1.0.txt
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (lower_case(lower_case(c)) != lower_case(c)) FAIL_CHECK(static_cast<unsigned>(c));
    if (category(lower_case(c)) != category(c)) FAIL_CHECK(static_cast<unsigned>(c));
  }
}

TEST_CASE("letters lose their accents", "[tokenizer][unicode]") {
  check_all(base_letter, U"aaéeÅAñnǖuộoểeΐιЙИ\u212BA\u1E69s\u0958\u0915각ᄀ힣ᄒ\uF900\u8C48\U0002FA1D\U0002A600");
  check_all(base_letter, U"ßßøøłłææ中中\u0301\u0301ﬁﬁ");
  CHECK(base_letter(0xFFFFFFFF) == 0xFFFFFFFF);
  CHECK(changed(base_letter) == 2061 + 11172);  // canonical decompositions of 15.1, and Hangul
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (base_letter(base_letter(c)) != base_letter(c)) FAIL_CHECK(static_cast<unsigned>(c));
  }
}
