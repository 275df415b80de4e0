#include "tokenizer/find.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using tokenizer::find_token;
using tokenizer::TokenKind;

TEST_CASE("a token is found by its text: with its space, also a control token, and not its byte", "[tokenizer]") {
  test::VocabularyBuilder builder;
  const auto unknown = builder.add("<unk>", TokenKind::unknown), end = builder.add("<end>", TokenKind::control);
  const auto byte = builder.add("<0x61>", TokenKind::byte), other = builder.add("<0x62>", TokenKind::byte);
  const auto word = builder.add(
                 "\xE2\x96\x81"
                 "a"),
             letter = builder.add("a");
  const auto tokenizer = tokenizer::make_tokenizer(builder.metadata("llama"));
  CHECK(find_token(*tokenizer, " a") == word);
  CHECK(find_token(*tokenizer, "a") == letter);
  CHECK(find_token(*tokenizer, "b") == other);
  CHECK(find_token(*tokenizer, "<end>") == end);
  CHECK(find_token(*tokenizer, "<unk>") == unknown);
  CHECK_FALSE(find_token(*tokenizer, "aa").has_value());
  CHECK_FALSE(find_token(*tokenizer, "").has_value());
  CHECK(tokenizer->token_bytes(byte) == "a");
}
