#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>

#include "support/errors.hpp"
#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/charsmaps.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::Ids;
using test::TokenId;
using test::TokenKind;
using test::kPlain;
using test::VocabularyBuilder;

namespace {

constexpr TokenId kEos = 1, kUnknownPiece = 2;

VocabularyBuilder t5_vocabulary() {
  VocabularyBuilder builder;
  builder.add("<pad>", TokenKind::control);
  builder.add("</s>", TokenKind::control);
  builder.add("<unk>", TokenKind::unknown);
  return builder;
}

auto make_t5(const VocabularyBuilder& builder) { return tokenizer::make_tokenizer(builder.metadata("t5")); }

}  // namespace

TEST_CASE("unigram takes the likeliest tokens", "[tokenizer]") {
  VocabularyBuilder builder = t5_vocabulary();
  const auto a = builder.add("a", TokenKind::normal, -3);
  const auto b = builder.add("b", TokenKind::normal, -3);
  const auto ab = builder.add("ab", TokenKind::normal, -5);
  const auto bc = builder.add("bc", TokenKind::normal, -4);
  builder.add("c", TokenKind::normal, -9);
  const auto tokenizer = make_t5(builder);
  CHECK(tokenizer->encode("ab") == Ids{ab, kEos});
  CHECK(tokenizer->encode("abc", kPlain) == Ids{a, bc});
  CHECK(tokenizer->encode("ba", kPlain) == Ids{b, a});
  CHECK(tokenizer->encode("", kPlain).empty());
  CHECK(tokenizer->encode("") == Ids{kEos});
  CHECK(tokenizer->encode("axyéa", kPlain) == Ids{a, kUnknownPiece, a});
  CHECK(tokenizer->decode(Ids{a, kUnknownPiece, bc}) == "abc");
}

TEST_CASE("unigram is best of all ways to cut a text", "[tokenizer]") {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    VocabularyBuilder builder = t5_vocabulary();
    std::map<std::string, double> scores;
    double lowest = 0;
    for (int i = 0; i < 12; ++i) {
      std::string text;
      for (std::size_t n = 1 + random() % 3; n > 0; --n) text.push_back(static_cast<char>('a' + random() % 3));
      const float score = -1 - static_cast<float>(random() % 1000) / 100;
      if (!scores.emplace(text, score).second) continue;
      builder.add(text, TokenKind::normal, score);
      lowest = std::min<double>(lowest, score);
    }
    const auto tokenizer = make_t5(builder);
    std::string text;
    for (std::size_t n = 1 + random() % 8; n > 0; --n) text.push_back(static_cast<char>('a' + random() % 3));

    // Every subset of the places between letters is one way.
    double best = -std::numeric_limits<double>::infinity();
    for (unsigned cuts = 0; cuts < 1U << (text.size() - 1); ++cuts) {
      double total = 0;
      for (std::size_t begin = 0, end = 1; end <= text.size(); ++end) {
        if (end < text.size() && (cuts >> (end - 1) & 1) == 0) continue;
        const auto found = scores.find(text.substr(begin, end - begin));
        if (found != scores.end()) {
          total += found->second;
        } else {
          total += end - begin == 1 ? lowest - 10 : -std::numeric_limits<double>::infinity();
        }
        begin = end;
      }
      best = std::max(best, total);
    }
    double total = 0;
    std::size_t covered = 0;
    for (TokenId id : tokenizer->encode(text, kPlain)) {
      const std::string token = tokenizer->token_bytes(id);
      if (id == kUnknownPiece) continue;
      total += scores.at(token);
      covered += token.size();
    }
    total += (lowest - 10) * static_cast<double>(text.size() - covered);
    INFO(text);
    CHECK(std::abs(total - best) < 1e-4);
  }
}

TEST_CASE("unigram puts a space before words, as the file asks for", "[tokenizer]") {
  VocabularyBuilder builder = t5_vocabulary();
  const auto space = builder.add("▁", TokenKind::normal, -3);
  const auto a = builder.add("a", TokenKind::normal, -3);
  const auto encode = [&](bool prefix, bool remove_extra, std::string_view text) {
    VocabularyBuilder asked = builder;
    asked.set("add_space_prefix", prefix);
    asked.set("remove_extra_whitespaces", remove_extra);
    return make_t5(asked)->encode(text, kPlain);
  };
  CHECK(make_t5(builder)->encode(" a", kPlain) == Ids{space, a});
  CHECK(encode(false, false, "a  a ") == Ids{a, space, space, a, space});
  CHECK(encode(true, false, "a  a ") == Ids{space, a, space, space, a, space});
  CHECK(encode(true, false, " a") == Ids{space, space, a});
  CHECK(encode(true, true, "  a  a ") == Ids{space, a, space, a});
  CHECK(encode(false, true, " a  a ") == Ids{a, space, a});
  CHECK(encode(true, true, "  ").empty());
  CHECK(encode(true, false, " ") == Ids{space, space});

  builder.set("add_space_prefix", true);
  CHECK(make_t5(builder)->decode(Ids{space, a, space, a, kEos}) == " a a");
  CHECK(make_t5(builder)->decode(Ids{space, a, space, a, kEos}, {.special = true, .tidy_spaces = true}) == "a a</s>");
}

TEST_CASE("unigram makes the replacements of the file's charsmap", "[tokenizer]") {
  VocabularyBuilder builder = t5_vocabulary();
  const auto e = builder.add("e", TokenKind::normal, -3);
  const auto accented = builder.add("é", TokenKind::normal, -3);
  const auto space = builder.add("▁", TokenKind::normal, -3);
  const auto tag = builder.add("<é>", TokenKind::user_defined, -1000);
  const auto bad = builder.add("\uFFFD", TokenKind::normal, -3);
  CHECK(make_t5(builder)->encode("é", kPlain) == Ids{accented});
  builder.set("precompiled_charsmap", test::CharsmapBuilder({{"é", "e"}, {"\u3000", " "}, {"\u00AD", ""}}).bytes());
  const auto tokenizer = make_t5(builder);
  CHECK(tokenizer->encode("é\u3000\u00ADe", kPlain) == Ids{e, space, e});
  CHECK(tokenizer->encode("é<é>", kPlain) == Ids{e, tag});
  CHECK(tokenizer->encode("<é", kPlain) == Ids{kUnknownPiece, e});
  CHECK(tokenizer->encode("e\xFF\xC3", kPlain) == Ids{e, bad, bad});
}

TEST_CASE("unused and control tokens are not found in a text", "[tokenizer]") {
  VocabularyBuilder builder = t5_vocabulary();
  builder.add("a", TokenKind::control);
  builder.add("c", TokenKind::unused, -1);
  const auto d = builder.add("d", TokenKind::normal, -1);
  const auto tokenizer = make_t5(builder);
  CHECK(tokenizer->encode("adc", kPlain) == Ids{kUnknownPiece, d, kUnknownPiece});
  CHECK(tokenizer->encode("adc", {.add_special = false, .parse_special = true}) == Ids{3, d, kUnknownPiece});
}

TEST_CASE("characters that are no tokens become bytes, if the vocabulary has them", "[tokenizer]") {
  VocabularyBuilder builder = t5_vocabulary();
  const auto a = builder.add("a", TokenKind::normal, -1);
  const auto c3 = builder.add("<0xC3>", TokenKind::byte), a9 = builder.add("<0xA9>", TokenKind::byte);
  builder.add("<0x62>", TokenKind::normal, -1);  // no byte
  const auto tokenizer = make_t5(builder);
  CHECK(tokenizer->encode("aéa", kPlain) == Ids{a, c3, a9, a});
  CHECK(tokenizer->encode("ab\u00E8é", kPlain) == Ids{a, kUnknownPiece, c3, kUnknownPiece, c3, a9});
  CHECK(tokenizer->decode(Ids{a, c3, a9, a}) == "aéa");
}

TEST_CASE("user-defined pieces of SentencePiece are part of the text, and are not split", "[tokenizer]") {
  for (const TokenKind kind : {TokenKind::normal, TokenKind::user_defined}) {
    VocabularyBuilder builder = t5_vocabulary();
    const auto space = builder.add("▁", TokenKind::normal, -3);
    const auto a = builder.add("a", TokenKind::normal, -3);
    const auto word = builder.add("▁ab", TokenKind::normal, -0.5F);
    const auto own = builder.add("AB", kind, 0);
    const auto added = builder.add("<x>", TokenKind::user_defined, -1000);
    builder.set("add_space_prefix", true);
    builder.set("precompiled_charsmap", test::CharsmapBuilder({{"A", "a"}, {"B", "b"}}).bytes());
    const auto tokenizer = make_t5(builder);
    CHECK(tokenizer->encode("aABa", kPlain) == Ids{space, a, own, a});
    CHECK(tokenizer->encode("Ab", kPlain) == Ids{word});
    CHECK(tokenizer->encode("a<x>a", kPlain) == Ids{space, a, added, space, a});
    CHECK(tokenizer->decode(Ids{space, a, own}) == " aAB");
  }
}

TEST_CASE("errors of a unigram vocabulary name the problem", "[tokenizer]") {
  const auto refuses = [](const VocabularyBuilder& builder, ErrorCode code, const std::string& key) {
    test::check_throws(code, "tokenizer.ggml." + key, [&] { make_t5(builder); });
  };
  VocabularyBuilder nameless;
  nameless.add("a");
  nameless.set("add_eos_token", false);
  refuses(nameless, ErrorCode::invalid_file, "unknown_token_id");
  for (const auto& [key, value] :
       {std::pair("normalizer.nfc", true), std::pair("escape_whitespaces", false), std::pair("treat_whitespace_as_suffix", true)}) {
    VocabularyBuilder builder = t5_vocabulary();
    builder.set(key, !value);
    CHECK_NOTHROW(make_t5(builder));
    VocabularyBuilder other = t5_vocabulary();
    other.set(key, value);
    refuses(other, ErrorCode::unsupported, key);
  }
  VocabularyBuilder mapped = t5_vocabulary();
  mapped.set("precompiled_charsmap", formats::Metadata::Integers{1, 2, 3});
  refuses(mapped, ErrorCode::invalid_file, "precompiled_charsmap");

  formats::Metadata metadata;
  metadata.set("tokenizer.ggml.model", std::string("t5"));
  metadata.set("tokenizer.ggml.tokens", formats::Metadata::Strings{"<pad>", "</s>", "<unk>"});
  test::check_throws(ErrorCode::invalid_file, "tokenizer.ggml.scores", [&] { tokenizer::make_tokenizer(metadata); });
  metadata.set("tokenizer.ggml.scores", formats::Metadata::Floats{0, 0});
  test::check_throws(ErrorCode::invalid_file, "tokenizer.ggml.scores: is shorter", [&] { tokenizer::make_tokenizer(metadata); });
}

TEST_CASE("scores that are no numbers do not keep unigram from ending", "[tokenizer]") {
  for (float score :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()}) {
    VocabularyBuilder builder = t5_vocabulary();
    builder.add("a", TokenKind::normal, score);
    builder.add("aa", TokenKind::normal, -1);
    CHECK_FALSE(make_t5(builder)->encode("aaabaa", kPlain).empty());
  }
}
