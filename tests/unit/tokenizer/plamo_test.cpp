#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>

#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::byte_token;
using test::Ids;
using test::kPlain;
using test::TokenId;
using test::TokenKind;
using test::VocabularyBuilder;

namespace {

/// Begins like SentencePiece's: an unknown token, BOS, EOS and the bytes.
VocabularyBuilder plamo_vocabulary() {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  for (char c = 'a'; c <= 'e'; ++c) builder.add(std::string(1, c), TokenKind::normal, -4);
  return builder;
}
constexpr TokenId letter(char c) { return 259 + c - 'a'; }

auto make(const VocabularyBuilder& builder, const char* model) { return tokenizer::make_tokenizer(builder.metadata(model)); }

}  // namespace

TEST_CASE("PLaMo takes the likeliest tokens, and bytes for other characters", "[tokenizer]") {
  VocabularyBuilder builder = plamo_vocabulary();
  const auto ab = builder.add("ab", TokenKind::normal, -7), bc = builder.add("bc", TokenKind::normal, -6),
             kana = builder.add("あ", TokenKind::normal, -9), dear = builder.add("dd", TokenKind::normal, -9);
  for (const char* model : {"plamo2", "plamo3"}) {
    const auto tokenizer = make(builder, model);
    CHECK(tokenizer->encode("ab", kPlain) == Ids{ab});
    CHECK(tokenizer->encode("abc", kPlain) == Ids{letter('a'), bc});
    CHECK(tokenizer->encode("ddd", kPlain) == Ids{letter('d'), letter('d'), letter('d')});
    CHECK(tokenizer->encode("あxé", kPlain) == Ids{kana, byte_token('x'), byte_token(0xC3), byte_token(0xA9)});
    CHECK(tokenizer->encode("a\xFF", kPlain) == Ids{letter('a'), byte_token(0xEF), byte_token(0xBF), byte_token(0xBD)});
    CHECK(tokenizer->encode("<0x41>", kPlain) ==
          Ids{byte_token('<'), byte_token('0'), byte_token('x'), byte_token('4'), byte_token('1'), byte_token('>')});
    CHECK(tokenizer->encode("", kPlain).empty());
    CHECK(tokenizer->decode(Ids{kana, byte_token(0xC3), byte_token(0xA9), dear}) == "あédd");
  }
}

TEST_CASE("PLaMo's segmentation is the best of all, and of equally good ones begins with the longest token", "[tokenizer]") {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    VocabularyBuilder builder = test::sentencepiece_vocabulary();
    std::map<std::string, std::int64_t> costs;
    for (int i = 0; i < 12; ++i) {
      std::string text;
      for (std::size_t n = 1 + random() % 3; n > 0; --n) text.push_back(static_cast<char>('a' + random() % 3));
      const int score = 1 + static_cast<int>(random() % 4);  // few, so that many are equally good
      if (costs.emplace(text, score * 10'000).second) builder.add(text, TokenKind::normal, static_cast<float>(-score));
    }
    std::string text;
    for (std::size_t n = 1 + random() % 8; n > 0; --n) text.push_back(static_cast<char>('a' + random() % 3));

    // Every subset of the places between letters is one way; from the end, later places count more.
    std::vector<std::size_t> lengths;
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    for (unsigned cuts = 0; cuts < 1U << (text.size() - 1); ++cuts) {
      std::int64_t total = 0;
      std::vector<std::size_t> way;
      for (std::size_t begin = 0, end = 1; end <= text.size(); ++end) {
        if (end < text.size() && (cuts >> (end - 1) & 1) == 0) continue;
        const auto found = costs.find(text.substr(begin, end - begin));
        total += found != costs.end() ? found->second : end - begin == 1 ? 10'000'000 : 1'000'000'000;
        way.push_back(end - begin);
        begin = end;
      }
      if (total < best || (total == best && way > lengths)) {
        best = total;
        lengths = way;
      }
    }
    std::vector<std::size_t> got;
    for (const TokenId id : make(builder, "plamo2")->encode(text, kPlain))
      got.push_back(id < 259 ? 1 : make(builder, "plamo2")->token_bytes(id).size());
    INFO(text);
    CHECK(got == lengths);
  }
}

TEST_CASE("PLaMo 3 cuts around markers, repetitions and spaces, and at U+EE00", "[tokenizer]") {
  VocabularyBuilder builder = plamo_vocabulary();
  const auto four = builder.add("aaaa", TokenKind::normal, -1), five = builder.add("aaaab", TokenKind::normal, -0.5f),
             word = builder.add(" a", TokenKind::normal, -1), three = builder.add("ccc", TokenKind::normal, -1),
             threes = builder.add("cccd", TokenKind::normal, -1), mark = builder.add("\uFEFF", TokenKind::normal, -1),
             joined = builder.add(">b", TokenKind::normal, -1);
  const auto two = make(builder, "plamo2"), tokenizer = make(builder, "plamo3");
  const auto space = byte_token(' ');
  CHECK(two->encode("aaaab", kPlain) == Ids{five});
  CHECK(tokenizer->encode("aaaab", kPlain) == Ids{four, letter('b')});
  CHECK(tokenizer->encode("cccd", kPlain) == Ids{threes});
  CHECK(tokenizer->encode("ccc", kPlain) == Ids{three});
  CHECK(two->encode("b  a", kPlain) == Ids{letter('b'), space, word});
  CHECK(tokenizer->encode("b  a", kPlain) == Ids{letter('b'), space, space, letter('a')});
  CHECK(tokenizer->encode("b a", kPlain) == Ids{letter('b'), word});
  CHECK(two->encode("\uFEFFa", kPlain) == Ids{letter('a')});
  CHECK(tokenizer->encode("\uFEFFa", kPlain) == Ids{mark, letter('a')});
  CHECK(tokenizer->encode("cc\uEE00cd", kPlain) == Ids{letter('c'), letter('c'), letter('c'), letter('d')});
  const auto ends_joined = [&](std::string_view text) {
    const Ids ids = tokenizer->encode(text, kPlain);
    return ids.back() == joined;
  };
  CHECK_FALSE(ends_joined("<|plamo:e|>b"));
  CHECK_FALSE(ends_joined("<|plamo:|>b"));
  CHECK(ends_joined("<|plamo:e e|>b"));
  CHECK(ends_joined("<|plamo:e\x1D|>b"));
  CHECK(ends_joined("<|plamo:e>b"));
  CHECK(ends_joined("<|plam|>b"));
  CHECK_FALSE(ends_joined("<|plamo:" + std::string(64, 'x') + "|>b"));
  CHECK(ends_joined("<|plamo:" + std::string(65, 'x') + "|>b"));
}

TEST_CASE("PLaMo's markers are control tokens only where they are marked, and </s> is text", "[tokenizer]") {
  VocabularyBuilder builder;
  builder.add("<|plamo:unk|>", TokenKind::unknown);
  builder.add("<|plamo:bos|>", TokenKind::control);
  const auto eos = builder.add("<|plamo:eos|>", TokenKind::control), tag = builder.add("</s>", TokenKind::normal, -20),
             a = builder.add("a", TokenKind::normal, -2);
  const auto tokenizer = make(builder, "plamo3");
  CHECK(tokenizer->encode("a</s>", kPlain) == Ids{a, tag});
  CHECK(tokenizer->encode("a<|plamo:eos|>", kPlain) == Ids{a, a});  // of the other letters, there are no bytes
  CHECK(tokenizer->encode("a<|plamo:eos|>", {.add_special = false, .parse_special = true}) == Ids{a, eos});
  CHECK(tokenizer->ends_generation(eos));
  CHECK_FALSE(tokenizer->ends_generation(tag));
  CHECK(tokenizer->decode(Ids{a, eos, tag}) == "a</s>");
}
