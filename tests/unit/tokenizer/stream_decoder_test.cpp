#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>

#include "base/utf8.hpp"
#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;

namespace {

// Token b is byte b, so that any string of bytes can be streamed.
std::unique_ptr<tokenizer::Tokenizer> bytes_as_tokens() {
  return tokenizer::make_tokenizer(test::byte_level_vocabulary().metadata("gpt2"));
}

test::TokenId token_of(char byte) { return static_cast<unsigned char>(byte); }

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto decoded = utf8::decode(text);
    if (decoded.sequence != utf8::Sequence::whole) return false;
    text.remove_prefix(decoded.length);
  }
  return true;
}

}  // namespace

TEST_CASE("streaming holds bytes back until a sequence is whole", "[tokenizer]") {
  const auto tokenizer = bytes_as_tokens();
  tokenizer::StreamDecoder decoder(*tokenizer);
  CHECK(decoder.push('a') == "a");
  CHECK(decoder.push(0xE2).empty());
  CHECK(decoder.push(0x82).empty());
  CHECK(decoder.push(0xAC) == "€");
  CHECK(decoder.push(0xF0).empty());
  CHECK(decoder.push('b') == "\uFFFDb");
  CHECK(decoder.push(0x80) == "\uFFFD");
  CHECK(decoder.push(0xC3).empty());
  CHECK(decoder.finish() == "\uFFFD");
  CHECK(decoder.finish().empty());
}

TEST_CASE("streaming gives whole UTF-8 only, and all of it", "[tokenizer]") {
  const auto tokenizer = bytes_as_tokens();
  const std::string text = "naïve café, 中文, 👩‍👩‍👧 and \u200B𝒜";
  std::string streamed;
  tokenizer::StreamDecoder decoder(*tokenizer);
  for (char byte : text) {
    const std::string part = decoder.push(token_of(byte));
    REQUIRE(is_utf8(part));
    streamed += part;
  }
  CHECK(streamed + decoder.finish() == text);

  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    tokenizer::StreamDecoder noise(*tokenizer);
    std::string whole;
    for (int i = 0; i < 50; ++i) whole += noise.push(static_cast<test::TokenId>(random() % 256));
    REQUIRE(is_utf8(whole + noise.finish()));
  }
}

TEST_CASE("streaming refuses an id outside the vocabulary", "[tokenizer]") {
  const auto tokenizer = bytes_as_tokens();
  tokenizer::StreamDecoder decoder(*tokenizer);
  CHECK_THROWS_AS(decoder.push(256), Error);
  CHECK_THROWS_AS(decoder.push(-1), Error);
}
