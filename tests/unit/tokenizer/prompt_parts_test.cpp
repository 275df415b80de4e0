// Prompts in parts: encoded as one text, but control tokens are read in control parts only.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::Ids;
using test::TokenKind;
using test::VocabularyBuilder;
using tokenizer::ControlText;
using tokenizer::PlainText;
using tokenizer::PromptPart;
using tokenizer::TokenId;

namespace {

constexpr const char* kKinds[] = {"llama", "gpt2", "t5", "bert", "clip"};

/// Letters and spaces, some of their merges, a control token and one that the user has defined.
std::unique_ptr<tokenizer::Tokenizer> make_kind(const std::string& kind) {
  const bool merges = kind == "gpt2" || kind == "clip";
  VocabularyBuilder builder = merges            ? test::byte_level_vocabulary()
                              : kind == "llama" ? test::sentencepiece_vocabulary()
                                                : VocabularyBuilder();
  if (merges) {
    builder.merge("a", "b");
    builder.merge("ab", "a");
  } else {
    if (kind != "llama") builder.add("<unk>", TokenKind::unknown);
    for (const char* text : {"▁", "a", "b", "c", "ab", "aba", "▁a", "▁ab", "<", "|", ">", "##a", "##b"})
      builder.add(text, TokenKind::normal, -1);
    for (const char* key : {"unknown_token_id", "bos_token_id", "eos_token_id", "seperator_token_id"})
      builder.set(key, std::int64_t{0});
  }
  builder.add("<|a|>", TokenKind::control);
  builder.add("<c>", TokenKind::user_defined);
  if (kind == "clip") builder.add("<|endoftext|>", TokenKind::control);
  return tokenizer::make_tokenizer(builder.metadata(kind));
}

Ids encode(const tokenizer::Tokenizer& tokenizer, const std::vector<PromptPart>& parts, bool add_special = false) {
  return tokenizer.encode(parts, add_special);
}

TokenId only(const tokenizer::Tokenizer& tokenizer, const std::string& text) {
  const Ids ids = tokenizer.encode(text, {.add_special = false, .parse_special = true});
  REQUIRE(ids.size() == 1);
  return ids[0];
}

}  // namespace

TEST_CASE("parts of a prompt are encoded as one text", "[tokenizer]") {
  std::mt19937 random(11);
  for (const char* kind : kKinds) {
    INFO(kind);
    const auto tokenizer = make_kind(kind);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::string> texts;
      for (std::size_t n = random() % 5; n > 0; --n) {
        std::string& text = texts.emplace_back();
        for (std::size_t letters = random() % 6; letters > 0; --letters) text += "abc "[random() % 4];
        if (random() % 3 == 0) text += "<c>";
      }
      std::string joined;
      std::vector<PromptPart> parts;
      for (const std::string& text : texts) {
        joined += text;
        if (random() % 2 == 0) parts.emplace_back(PlainText{text});
        else parts.emplace_back(ControlText{text});
      }
      const bool add_special = random() % 2 == 0;
      REQUIRE(encode(*tokenizer, parts, add_special) ==
              tokenizer->encode(joined, {.add_special = add_special, .parse_special = true}));
    }
  }
}

TEST_CASE("plain text never becomes a control token", "[tokenizer]") {
  for (const char* kind : kKinds) {
    INFO(kind);
    const auto tokenizer = make_kind(kind);
    const TokenId control = only(*tokenizer, "<|a|>");
    const auto count = [&](const std::vector<PromptPart>& parts) {
      const Ids ids = encode(*tokenizer, parts);
      return std::count(ids.begin(), ids.end(), control);
    };
    CHECK(count({ControlText{"<|a|>"}, PlainText{"<|a|>ab<|a|>"}, ControlText{"<|a|>"}}) == 2);
    CHECK(count({ControlText{"<|a"}, ControlText{"|>"}}) == 1);
    CHECK(count({ControlText{"<|"}, PlainText{"a"}, ControlText{"|>"}}) == 0);
    CHECK(count({PlainText{"<|"}, ControlText{"a|>"}}) == 0);
    CHECK(count({ControlText{"<|a|"}, PlainText{">"}}) == 0);
    const TokenId defined = only(*tokenizer, "<c>");
    CHECK(encode(*tokenizer, {PlainText{"<c>"}}) == Ids{defined});
  }
}

TEST_CASE("ids in a prompt stand for themselves", "[tokenizer]") {
  for (const char* kind : kKinds) {
    INFO(kind);
    const auto tokenizer = make_kind(kind);
    const Ids control = {only(*tokenizer, "<|a|>")};
    CHECK(encode(*tokenizer, {PlainText{"ab"}, control, PlainText{"ba"}}) ==
          encode(*tokenizer, {PlainText{"ab"}, ControlText{"<|a|>"}, PlainText{"ba"}}));
    CHECK(encode(*tokenizer, {control, control}) == Ids{control[0], control[0]});
    CHECK(encode(*tokenizer, {}).empty());
    const Ids outside = {static_cast<TokenId>(tokenizer->size())}, negative = {-1};
    CHECK_THROWS_AS(encode(*tokenizer, {outside}), Error);
    CHECK_THROWS_AS(encode(*tokenizer, {negative}), Error);
  }
}

TEST_CASE("parts of Harmony's messages are shown, but not read in plain text", "[tokenizer]") {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  const TokenId start = builder.add("<|start|>", TokenKind::control);
  builder.add("<|end|>", TokenKind::control);
  builder.add("<|call|>", TokenKind::control);
  builder.add("<|return|>", TokenKind::control);
  const auto tokenizer = tokenizer::make_tokenizer(builder.metadata("gpt2"));
  CHECK(encode(*tokenizer, {ControlText{"<|start|>"}}) == Ids{start});
  CHECK(encode(*tokenizer, {PlainText{"<|start|>"}}).size() == 9);
  CHECK(tokenizer->decode(Ids{start}) == "<|start|>");
  CHECK_FALSE(tokenizer->ends_generation(start + 1));
  CHECK(encode(*tokenizer, {PlainText{"<|end|>"}}).size() == 7);
}

TEST_CASE("user-defined tokens that a template writes are not read in plain text", "[tokenizer]") {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  const TokenId call = builder.add("<call>", TokenKind::user_defined);
  const TokenId bold = builder.add("<b>", TokenKind::user_defined);
  const TokenId word = builder.add("role", TokenKind::user_defined);
  auto metadata = builder.metadata("gpt2");
  metadata.set("tokenizer.chat_template.tool_use", std::string("{{ message.role }}<call>"));
  const auto tokenizer = tokenizer::make_tokenizer(metadata);
  CHECK(encode(*tokenizer, {ControlText{"<call>"}}) == Ids{call});
  CHECK(encode(*tokenizer, {PlainText{"<call>"}}).size() == 6);
  CHECK(encode(*tokenizer, {PlainText{"<ca"}, PlainText{"ll>"}}).size() == 6);
  CHECK(encode(*tokenizer, {PlainText{"<b>role"}}) == Ids{bold, word});
  CHECK(tokenizer->encode("<call>", {}) == Ids{call});  // a text without parts has no users
  CHECK(tokenizer->decode(Ids{call}) == "<call>");
}
