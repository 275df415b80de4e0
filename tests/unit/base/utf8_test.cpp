#include "base/utf8.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

using namespace heed;

namespace {

// The whole of a text; '.' stands for each longest valid beginning of something that is not UTF-8.
std::u32string decode_all(std::string_view bytes, utf8::Surrogates surrogates = utf8::Surrogates::refused) {
  std::u32string out;
  while (!bytes.empty()) {
    const auto decoded = utf8::decode(bytes, surrogates);
    out.push_back(decoded.sequence == utf8::Sequence::whole ? decoded.code_point : U'.');
    bytes.remove_prefix(decoded.length);
  }
  return out;
}

}  // namespace

TEST_CASE("utf8 decodes the first and last code point of every length", "[base][utf8]") {
  CHECK(decode_all(std::string_view("\0\x7F", 2)) == std::u32string(U"\0\x7F", 2));
  CHECK(decode_all("\xC2\x80\xDF\xBF") == U"\u0080\u07FF");
  CHECK(decode_all("\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF") == U"\u0800\uD7FF\uE000\uFFFF");
  CHECK(decode_all("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF") == U"\U00010000\U0010FFFF");
}

TEST_CASE("utf8 finds maximal subparts as in the Unicode Standard", "[base][utf8]") {
  // Tables 3-8 to 3-11 of the standard: one replacement for each.
  CHECK(decode_all("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41") == U"........A");
  CHECK(decode_all("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41") == U"........A");
  CHECK(decode_all("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42") == U".....A..B");
  CHECK(decode_all("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41") == U"....A");
}

TEST_CASE("utf8 distinguishes an unfinished sequence from an invalid one", "[base][utf8]") {
  for (std::string_view whole : {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    for (std::size_t n = 1; n < whole.size(); ++n) {
      const auto decoded = utf8::decode(whole.substr(0, n));
      CHECK(decoded.sequence == utf8::Sequence::unfinished);
      CHECK(decoded.length == n);
      CHECK(utf8::decode(std::string(whole.substr(0, n)) + "x").sequence == utf8::Sequence::invalid);
    }
    CHECK(utf8::decode(whole).sequence == utf8::Sequence::whole);
  }
  CHECK(utf8::decode("\xF4\x90").sequence == utf8::Sequence::invalid);
  CHECK(utf8::decode("\xF5").sequence == utf8::Sequence::invalid);
}

TEST_CASE("utf8 lets surrogates through where asked", "[base][utf8]") {
  CHECK(decode_all("\xED\xA0\x80", utf8::Surrogates::accepted) == std::u32string(1, char32_t{0xD800}));
  CHECK(decode_all("\xED\xBF\xBF", utf8::Surrogates::accepted) == std::u32string(1, char32_t{0xDFFF}));
}

TEST_CASE("utf8 writes what it reads", "[base][utf8]") {
  for (char32_t code_point = 0; code_point < 0x110000; code_point += code_point < 0x3000 ? 1 : 0x3B) {
    std::string bytes;
    utf8::append(bytes, code_point);
    const auto decoded = utf8::decode(bytes, utf8::Surrogates::accepted);
    REQUIRE(decoded.sequence == utf8::Sequence::whole);
    REQUIRE(decoded.code_point == code_point);
    REQUIRE(decoded.length == bytes.size());
    REQUIRE(utf8::announced_length(bytes[0]) == bytes.size());
  }
}
