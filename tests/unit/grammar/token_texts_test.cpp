// The vocabulary for constraints.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grammar/masks/token_texts.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using namespace heed::grammar;
using test::TokenKind;

TEST_CASE("control tokens differ from tokens with the same text", "[grammar]") {
  test::VocabularyBuilder builder = test::sentencepiece_vocabulary();
  const auto control = static_cast<TokenId>(builder.add("<|tool|>", TokenKind::control));
  const auto user = static_cast<TokenId>(builder.add("<user>", TokenKind::user_defined));
  const auto unused = static_cast<TokenId>(builder.add("[unused1]", TokenKind::unused));
  builder.set("eos_token_id", std::int64_t{2});
  builder.set("unknown_token_id", std::int64_t{0});
  const auto vocabulary = tokenizer::make_tokenizer(builder.metadata("llama"));
  const TokenTexts texts = token_texts(*vocabulary);

  CHECK(texts.use(2) == TokenUse::end);
  CHECK(texts.use(user) == TokenUse::text);
  CHECK(texts.text(user) == "<user>");
  CHECK(texts.use(control) == TokenUse::control);
  CHECK(texts.text(control) == "\xff<|tool|>\xfe");
  CHECK(texts.use(unused) == TokenUse::other);
  CHECK_FALSE(texts.is_written(unused));
  int bytes = 0;
  for (TokenId id = 0; texts.contains(id); ++id) {
    if (texts.use(id) != TokenUse::text) continue;
    CHECK(texts.text(id).find_first_of("\xff\xfe") == std::string::npos);
    if (texts.text(id).size() == 1) ++bytes;
  }
  CHECK(bytes >= 254);  // all but the two control bytes
}
