#include <catch2/catch_test_macros.hpp>
#include <string>

#include "support/errors.hpp"
#include "tokenizer/pair.hpp"
#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::Ids;
using test::TokenId;
using test::TokenKind;
using test::kPlain;
using test::VocabularyBuilder;

namespace {

constexpr TokenId kUnknownWord = 1, kCls = 2, kSep = 3;

VocabularyBuilder bert_vocabulary() {
  VocabularyBuilder builder;
  for (const char* name : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) builder.add(name, TokenKind::control);
  builder.set("unknown_token_id", std::int64_t{kUnknownWord});
  builder.set("bos_token_id", std::int64_t{kCls});
  builder.set("seperator_token_id", std::int64_t{kSep});
  return builder;
}

auto make_bert(const VocabularyBuilder& builder) { return tokenizer::make_tokenizer(builder.metadata("bert")); }

}  // namespace

TEST_CASE("WordPiece takes the longest token, again and again", "[tokenizer]") {
  VocabularyBuilder builder = bert_vocabulary();
  const auto un = builder.add("▁un");
  const auto unable = builder.add("▁unable");
  const auto able = builder.add("able");
  const auto a = builder.add("a");
  const auto tokenizer = make_bert(builder);
  CHECK(tokenizer->encode("unable") == Ids{kCls, unable, kSep});
  CHECK(tokenizer->encode("unaable", kPlain) == Ids{un, a, able});
  CHECK(tokenizer->encode(" un\t\nUN ", kPlain) == Ids{un, un});
  CHECK(tokenizer->encode("unablex un able", kPlain) == Ids{kUnknownWord, un, kUnknownWord});
  CHECK(tokenizer->encode("", kPlain).empty());
  CHECK(tokenizer->encode("") == Ids{kCls, kSep});
  CHECK(tokenizer->decode(Ids{kCls, un, a, able, un, kSep}) == " unaable un");
  CHECK(tokenizer->decode(Ids{kCls, un, kSep}, {.special = true}) == "[CLS] un[SEP]");
}

TEST_CASE("WordPiece parts marks and ideographs from words", "[tokenizer]") {
  VocabularyBuilder builder = bert_vocabulary();
  const auto x = builder.add("▁x");
  const auto comma = builder.add("▁,");
  const auto plus = builder.add("▁+");
  const auto dash = builder.add("▁—");
  const auto text = builder.add("▁文");
  const auto times = builder.add("▁x×");
  const auto tokenizer = make_bert(builder);
  CHECK(tokenizer->encode("x,x+x—文文x", kPlain) == Ids{x, comma, x, plus, x, dash, text, text, x});
  CHECK(tokenizer->encode("x×", kPlain) == Ids{times});  // only ASCII's symbols stand alone
  CHECK(tokenizer->decode(Ids{x, comma, x}, {.tidy_spaces = true}) == " x, x");
}

TEST_CASE("WordPiece knows neither capitals nor accents, unless the file says so", "[tokenizer]") {
  VocabularyBuilder builder = bert_vocabulary();
  const auto plain = builder.add("▁ecole");
  const auto accents = builder.add("▁école");
  const auto cased = builder.add("▁École");
  const auto bare = builder.add("▁Ecole");
  const auto encode = [&](std::optional<bool> lower, std::optional<bool> strip) {
    VocabularyBuilder asked = builder;
    if (lower) asked.set("normalizer.lowercase", *lower);
    if (strip) asked.set("normalizer.strip_accents", *strip);
    return make_bert(asked)->encode("École", kPlain);
  };
  CHECK(encode({}, {}) == Ids{plain});
  CHECK(encode(true, false) == Ids{accents});
  CHECK(encode(false, {}) == Ids{cased});
  CHECK(encode(false, true) == Ids{bare});
  CHECK(make_bert(builder)->encode("E\u0301co\u00ADle\u200B\xFF", kPlain) == Ids{plain});
}

TEST_CASE("WordPiece reads special tokens when asked to", "[tokenizer]") {
  VocabularyBuilder builder = bert_vocabulary();
  const auto mask = builder.add("▁mask");
  const auto tokenizer = make_bert(builder);
  CHECK(tokenizer->encode("[MASK]", {.add_special = false, .parse_special = true}) == Ids{4});
  CHECK(tokenizer->encode("[MASK]", kPlain) == Ids{kUnknownWord, mask, kUnknownWord});
}

TEST_CASE("BERT's [CLS] and [SEP] stand around every text", "[tokenizer]") {
  VocabularyBuilder builder = bert_vocabulary();
  builder.set("add_bos_token", false);
  builder.set("add_sep_token", false);
  CHECK(make_bert(builder)->encode("") == Ids{kCls, kSep});
}

TEST_CASE("errors of a WordPiece vocabulary name the problem", "[tokenizer]") {
  const auto refuses = [](const VocabularyBuilder& builder, const std::string& part) {
    test::check_throws(ErrorCode::invalid_file, "tokenizer.ggml." + part, [&] { make_bert(builder); });
  };
  VocabularyBuilder nameless;
  nameless.add("a");
  refuses(nameless, "seperator_token_id");  // 102, if silent
  nameless.set("seperator_token_id", std::int64_t{0});
  refuses(nameless, "bos_token_id");
  nameless.set("bos_token_id", std::int64_t{0});
  refuses(nameless, "unknown_token_id");
  nameless.set("unknown_token_id", std::int64_t{0});
  CHECK_NOTHROW(make_bert(nameless));
  VocabularyBuilder outside = bert_vocabulary();
  outside.set("normalizer.lowercase", std::int64_t{1});
  refuses(outside, "normalizer.lowercase");
}

TEST_CASE("two texts form one sequence, with the vocabulary's separators", "[tokenizer]") {
  VocabularyBuilder builder = bert_vocabulary();
  const auto un = builder.add("▁un"), able = builder.add("▁able");
  const auto bert = make_bert(builder);
  CHECK(tokenizer::encode_pair(*bert, "un", "able un") == Ids{kCls, un, kSep, able, un, kSep});
  CHECK(tokenizer::encode_pair(*bert, "", "un") == Ids{kCls, kSep, un, kSep});

  VocabularyBuilder plain = test::byte_level_vocabulary();
  const auto bare = tokenizer::make_tokenizer(plain.metadata("gpt2"));
  const Ids first = bare->encode("a"), second = bare->encode("b");
  CHECK(tokenizer::encode_pair(*bare, "a", "b") == Ids{first[0], second[0]});
  const auto begin = plain.add("<s>", TokenKind::control), end = plain.add("</s>", TokenKind::control);
  plain.set("bos_token_id", std::int64_t{begin});
  plain.set("eos_token_id", std::int64_t{end});
  plain.set("add_bos_token", true);
  plain.set("add_eos_token", true);
  const auto roberta = tokenizer::make_tokenizer(plain.metadata("gpt2"));
  CHECK(tokenizer::encode_pair(*roberta, "a", "b") == Ids{begin, first[0], end, end, second[0], end});
}
