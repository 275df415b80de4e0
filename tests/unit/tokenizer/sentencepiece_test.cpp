#include <catch2/catch_test_macros.hpp>
#include <string>

#include "support/errors.hpp"
#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::Ids;
using test::TokenId;
using test::TokenKind;
using test::byte_token;
using test::kBos;
using test::kPlain;
using test::VocabularyBuilder;

namespace {

auto make_llama(const VocabularyBuilder& builder) { return tokenizer::make_tokenizer(builder.metadata("llama")); }

}  // namespace

TEST_CASE("SentencePiece merges by score, and puts a space before the text", "[tokenizer]") {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  const auto space = builder.add("▁", TokenKind::normal, -10);
  builder.add("a", TokenKind::normal, -11);
  const auto b = builder.add("b", TokenKind::normal, -12);
  const auto c = builder.add("c", TokenKind::normal, -13);
  const auto ab = builder.add("ab", TokenKind::normal, -2);
  const auto bc = builder.add("bc", TokenKind::normal, -1);
  const auto space_a = builder.add("▁a", TokenKind::normal, -3);
  const auto tokenizer = make_llama(builder);
  CHECK(tokenizer->encode("abc") == Ids{kBos, space_a, bc});
  CHECK(tokenizer->encode("abb", kPlain) == Ids{space, ab, b});
  CHECK(tokenizer->encode("c c", kPlain) == Ids{space, c, space, c});
  CHECK(tokenizer->encode("", kPlain).empty());
  CHECK(tokenizer->encode("") == Ids{kBos});
  CHECK(tokenizer->encode("c▁c", kPlain) == tokenizer->encode("c c", kPlain));
}

TEST_CASE("text never becomes a control token, unknown or a byte by being merged", "[tokenizer][hostile]") {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  builder.set("add_space_prefix", false);
  for (const char* text : {"<", "/", "s", ">", "u", "n", "k", "0", "x", "A"}) builder.add(text, TokenKind::normal, -20);
  for (const char* text : {"</", "</s", "<u", "<un", "<unk", "<0", "<0x", "<0x0", "<0x0A"})
    builder.add(text, TokenKind::normal, -1);
  const auto tokenizer = make_llama(builder);
  for (const std::string text : {"</s>", "<unk>", "<0x0A>", "</s></s>"}) {
    const Ids ids = tokenizer->encode(text, kPlain);
    for (const TokenId id : ids) CHECK(id >= byte_token(256));
    CHECK(tokenizer->decode(ids) == text);
  }
  CHECK(tokenizer->encode("</s>", {.add_special = false, .parse_special = true}) == Ids{2});
}

TEST_CASE("SentencePiece leaves out the space where the file says so", "[tokenizer]") {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  const auto a = builder.add("a");
  builder.set("add_space_prefix", false);
  const auto tokenizer = make_llama(builder);
  CHECK(tokenizer->encode("a", kPlain) == Ids{a});
  CHECK(tokenizer->decode(Ids{a}, {.tidy_spaces = true}) == "a");
}

TEST_CASE("SentencePiece falls back to bytes, and gives them back", "[tokenizer]") {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  const auto space = builder.add("▁");
  const auto tokenizer = make_llama(builder);
  CHECK(tokenizer->encode("é\xFF", kPlain) == Ids{space, byte_token(0xC3), byte_token(0xA9), byte_token(0xFF)});
  for (const std::string text : {"é\xFF\xE2\x82", "中\0文", "\x80\x80", "a\nb"}) {
    const Ids ids = tokenizer->encode(text);
    CHECK(tokenizer->decode(ids) == " " + text);
    CHECK(tokenizer->decode(std::span(ids).subspan(1), {.tidy_spaces = true}) == text);
  }
}

TEST_CASE("SentencePiece without byte tokens has the unknown token", "[tokenizer]") {
  VocabularyBuilder builder;
  const auto unknown = builder.add("<unk>", TokenKind::unknown);
  const auto space = builder.add("▁");
  builder.set("add_bos_token", false);
  const auto tokenizer = make_llama(builder);
  CHECK(tokenizer->encode("é") == Ids{space, unknown, unknown});
  CHECK(tokenizer->decode(Ids{unknown}).empty());
  CHECK(tokenizer->decode(Ids{unknown}, {.special = true}) == "<unk>");
}

TEST_CASE("SentencePiece joins across a space where a token does", "[tokenizer]") {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  const auto space = builder.add("▁", TokenKind::normal, -9);
  builder.add("a", TokenKind::normal, -9);
  builder.add("b", TokenKind::normal, -9);
  const auto a_space = builder.add("a▁", TokenKind::normal, -2);
  const auto a_space_b = builder.add("a▁b", TokenKind::normal, -1);
  const auto spaces = builder.add("▁▁", TokenKind::normal, -3);
  const auto tokenizer = make_llama(builder);
  CHECK(tokenizer->encode("a b", kPlain) == Ids{space, a_space_b});
  CHECK(tokenizer->encode("a  a", kPlain) == Ids{space, a_space, space, *tokenizer->bos() + 259});
  CHECK(tokenizer->encode("b  b", kPlain) == Ids{space, space + 2, spaces, space + 2});
}

TEST_CASE("special tokens in the text: control ones when asked, user-defined ones always", "[tokenizer]") {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  const auto space = builder.add("▁");
  const auto tag = builder.add("<tag>", TokenKind::user_defined);
  const auto tokenizer = make_llama(builder);
  const Ids spelled = tokenizer->encode("<s>", kPlain);
  CHECK(spelled == Ids{space, byte_token('<'), byte_token('s'), byte_token('>')});
  CHECK(tokenizer->encode("<s>", {.add_special = false, .parse_special = true}) == Ids{kBos});
  CHECK(tokenizer->encode("x<tag>y", kPlain) == Ids{space, byte_token('x'), tag, space, byte_token('y')});
  CHECK(tokenizer->decode(Ids{kBos, tag, 2}) == "<tag>");
  CHECK(tokenizer->decode(Ids{kBos, tag, 2}, {.special = true}) == "<s><tag></s>");
  CHECK(tokenizer->is_special(kBos));
  CHECK_FALSE(tokenizer->is_special(tag));
  CHECK(tokenizer->ends_generation(2));
}

TEST_CASE("SentencePiece adds EOS where the file says so", "[tokenizer]") {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  builder.add("▁");
  builder.set("add_eos_token", true);
  CHECK(make_llama(builder)->encode("") == Ids{kBos, 2});
}

TEST_CASE("SentencePiece takes a word of any length", "[tokenizer]") {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  std::string run = "a";
  TokenId longest = 0;
  for (int i = 0; i < 5; ++i, run += run) longest = builder.add(run, TokenKind::normal, static_cast<float>(i));
  builder.set("add_space_prefix", false);
  CHECK(make_llama(builder)->encode(std::string(1 << 18, 'a'), kPlain) == Ids((1 << 18) / 16, longest));
}

TEST_CASE("SentencePiece needs a score for every token", "[tokenizer]") {
  formats::Metadata metadata;
  metadata.set("tokenizer.ggml.model", std::string("llama"));
  metadata.set("tokenizer.ggml.tokens", formats::Metadata::Strings{"a", "b"});
  test::check_throws(ErrorCode::invalid_file, "tokenizer.ggml.scores", [&] { tokenizer::make_tokenizer(metadata); });
  metadata.set("tokenizer.ggml.scores", formats::Metadata::Floats{0});
  test::check_throws(ErrorCode::invalid_file, "tokenizer.ggml.scores", [&] { tokenizer::make_tokenizer(metadata); });
}
