#include <catch2/catch_test_macros.hpp>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "support/errors.hpp"
#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::Ids;
using test::TokenId;
using test::TokenKind;
using test::kPlain;
using test::VocabularyBuilder;

namespace {

constexpr TokenId kByteTokens = 256;
using Merges = std::vector<std::pair<std::string, std::string>>;

/// Bytes, bytes at the end of a word, results of `merges`, start and end: the order of CLIP's own vocabulary.
VocabularyBuilder clip_vocabulary(const Merges& merges) {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  for (char16_t character : tokenizer::kCharacterOfByte) {
    std::string text;
    utf8::append(text, character);
    builder.add(text + "</w>");
  }
  for (const auto& [left, right] : merges) builder.merge(left, right);
  builder.add("<|startoftext|>", TokenKind::control);
  builder.add("<|endoftext|>", TokenKind::control);
  return builder;
}

auto make_clip(const VocabularyBuilder& builder) { return tokenizer::make_tokenizer(builder.metadata("clip")); }

// The published algorithm on ASCII: lower case, the regular expression, then merging by definition.
std::vector<std::string> encode_naively(std::string text, const Merges& merges) {
  for (char& c : text) c = static_cast<char>(std::tolower(c));
  const std::regex words("<\\|startoftext\\|>|<\\|endoftext\\|>|'s|'t|'re|'ve|'m|'ll|'d|[a-z]+|[0-9]|[^\\sa-z0-9]+");
  std::vector<std::string> tokens;
  for (std::sregex_iterator word(text.begin(), text.end(), words), end; word != end; ++word) {
    std::vector<std::string> parts;
    for (char c : word->str()) parts.emplace_back(1, c);
    parts.back() += "</w>";
    for (const auto& [left, right] : merges) {
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        if (parts[i] != left || parts[i + 1] != right) continue;
        parts[i] += right;
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
    tokens.insert(tokens.end(), parts.begin(), parts.end());
  }
  return tokens;
}

}  // namespace

TEST_CASE("CLIP's words end with a sign of their own", "[tokenizer]") {
  const Merges merges = {{"c", "a"}, {"ca", "t</w>"}, {"ca", "t"}, {"cat", "s</w>"}};
  const auto tokenizer = make_clip(clip_vocabulary(merges));
  const TokenId cat = 2 * kByteTokens + 1, cats = 2 * kByteTokens + 3, start = 2 * kByteTokens + 4, end = start + 1;
  CHECK(tokenizer->bos() == start);
  CHECK(tokenizer->eos() == end);
  CHECK(tokenizer->encode("cat") == Ids{start, cat, end});
  CHECK(tokenizer->encode("  A\tCat, CATS ", kPlain) == Ids{kByteTokens + 'a', cat, kByteTokens + ',', cats});
  CHECK(tokenizer->encode("cat's12", kPlain) == Ids{cat, '\'', kByteTokens + 's', kByteTokens + '1', kByteTokens + '2'});
  CHECK(tokenizer->encode("é", kPlain) == Ids{0xC3, kByteTokens + 0xA9});
  CHECK(tokenizer->encode("É", kPlain) == Ids{0xC3, kByteTokens + 0xA9});
  CHECK(tokenizer->encode("\u0130", kPlain) == Ids{kByteTokens + 'i', 0xCC, kByteTokens + 0x87});
  CHECK(tokenizer->encode("", kPlain).empty());
  CHECK(tokenizer->encode("<|endoftext|>", {.add_special = false, .parse_special = true}) == Ids{end});
  CHECK(tokenizer->decode(Ids{start, kByteTokens + 'a', cat, kByteTokens + ',', cats, end}) == "a cat , cats ");
  CHECK(tokenizer->decode(Ids{cat, cats}, {.tidy_spaces = true}) == "cat cats");
  CHECK(tokenizer->token_bytes(cat) == "cat ");
  CHECK(tokenizer->token_bytes(2 * kByteTokens) == "ca");
  CHECK(tokenizer->ends_generation(end));
}

TEST_CASE("CLIP's tokens are those of the published algorithm", "[tokenizer]") {
  const Merges merges = {{"a", "b"},   {"b", "a</w>"},   {"ab", "a</w>"}, {"'", "s</w>"}, {"!", "!</w>"},
                         {"a", "a"},   {"aa", "ab"},     {"b", "b"},      {"bb", "a"},    {"s", "s"},
                         {"ab", "ab"}, {"ab", "ab</w>"}, {"!", "?</w>"},  {"b", "s</w>"}};
  const VocabularyBuilder builder = clip_vocabulary(merges);
  const auto tokenizer = make_clip(builder);
  const auto metadata = builder.metadata("clip");
  const auto& texts = metadata.require<formats::Metadata::Strings>("tokenizer.ggml.tokens");
  std::mt19937 random(8);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t n = random() % 24; n > 0; --n) text.push_back("aaabbbABs'!?1 \n"[random() % 15]);
    std::vector<std::string> tokens;
    for (TokenId id : tokenizer->encode(text, kPlain)) tokens.push_back(texts[static_cast<std::size_t>(id)]);
    INFO(text);
    REQUIRE(tokens == encode_naively(text, merges));
  }
}

TEST_CASE("CLIP's merges may pass through pieces that are not tokens", "[tokenizer]") {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  builder.add("a</w>");
  builder.add("<|startoftext|>", TokenKind::control);
  builder.add("<|endoftext|>", TokenKind::control);
  builder.merge_only("b a</w>");
  builder.merge_only("b b");
  const auto tokenizer = make_clip(builder);
  CHECK(tokenizer->encode("ba", kPlain) == Ids{'b', kByteTokens});
  CHECK(tokenizer->encode("bbc", kPlain) == Ids{'b', 'b'});  // "c</w>" is not there
}

TEST_CASE("the tokens that CLIP's file specifies are added", "[tokenizer]") {
  VocabularyBuilder builder = clip_vocabulary({});
  builder.set("bos_token_id", std::int64_t{'x'});
  builder.set("add_eos_token", false);
  CHECK(make_clip(builder)->encode("") == Ids{'x'});
  VocabularyBuilder broken = clip_vocabulary({});
  broken.merge_only("ab");
  test::check_throws(ErrorCode::invalid_file, "tokenizer.ggml.merges: merge 0 is not a pair", [&] { make_clip(broken); });
  formats::Metadata silent;
  silent.set("tokenizer.ggml.model", std::string("clip"));
  silent.set("tokenizer.ggml.tokens", formats::Metadata::Strings{"a", "b"});
  test::check_throws(ErrorCode::invalid_file, "tokenizer.ggml.merges", [&] { tokenizer::make_tokenizer(silent); });
}
