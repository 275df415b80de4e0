#include "tokenizer/vocabulary.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::check_throws;
using test::Ids;
using test::TokenKind;
using test::VocabularyBuilder;
using tokenizer::Vocabulary;

namespace {

Ids generation_ends(const Vocabulary& vocabulary) {
  Ids ids;
  for (test::TokenId id = 0; vocabulary.contains(id); ++id) {
    if (vocabulary.ends_generation(id)) ids.push_back(id);
  }
  return ids;
}

}  // namespace

TEST_CASE("a vocabulary finds each token by its text", "[tokenizer]") {
  VocabularyBuilder builder;
  for (int i = 0; i < 1000; ++i) builder.add("token " + std::to_string(i * i));
  builder.add("");
  const Vocabulary vocabulary(builder.metadata("llama"), {});
  for (test::TokenId id = 0; vocabulary.contains(id); ++id) REQUIRE(vocabulary.find(vocabulary.text(id)) == id);
  CHECK(vocabulary.text(1000) == "[EMPTY_1000]");
  CHECK(vocabulary.find("token") == std::nullopt);
  CHECK(vocabulary.find("") == std::nullopt);
}

TEST_CASE("a token that is too long to be looked for is an error that names it", "[tokenizer][hostile]") {
  VocabularyBuilder builder;
  builder.add(std::string(Vocabulary::kLongestToken, 'a'));
  CHECK(Vocabulary(builder.metadata("llama"), {}).size() == 1);
  builder.add(std::string(2'000'000, 'b'), TokenKind::user_defined);
  check_throws(ErrorCode::invalid_file, "tokenizer.ggml.tokens: token 1 has 2000000 bytes; at most 2048 are supported",
               [&] { Vocabulary(builder.metadata("llama"), {}); });
}

TEST_CASE("roles come from the file, else from the kind's habits", "[tokenizer]") {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  const Vocabulary::Defaults defaults{.bos = 1, .eos = 2, .unknown = 1000, .add_bos = true};
  const Vocabulary silent(builder.metadata("llama"), defaults);
  CHECK(silent.bos() == 1);
  CHECK(silent.eos() == 2);
  CHECK(silent.unknown() == std::nullopt);
  CHECK(silent.before_text() == 1);
  CHECK_FALSE(silent.after_text());

  builder.set("bos_token_id", std::int64_t{5});
  builder.set("add_bos_token", false);
  builder.set("add_eos_token", true);
  const Vocabulary outspoken(builder.metadata("llama"), defaults);
  CHECK(outspoken.bos() == 5);
  CHECK_FALSE(outspoken.before_text());
  CHECK(outspoken.after_text() == 2);
}

TEST_CASE("generation ends with the tokens known to end turns", "[tokenizer]") {
  VocabularyBuilder builder;
  const auto word = builder.add("word");
  const auto end_of_text = builder.add("<|endoftext|>");
  const auto end_of_turn = builder.add("<|im_end|>", TokenKind::control);
  const auto padding = builder.add("<|fim_pad|>", TokenKind::control);
  const auto prefix = builder.add("<|fim_prefix|>");
  builder.set("eos_token_id", std::int64_t{word});
  const Vocabulary vocabulary(builder.metadata("gpt2"), {});
  CHECK(generation_ends(vocabulary) == Ids{word, end_of_text, end_of_turn, padding});
  CHECK(vocabulary.kind(end_of_text) == TokenKind::control);
  CHECK(vocabulary.kind(prefix) == TokenKind::control);
  CHECK(vocabulary.kind(word) == TokenKind::normal);
}

TEST_CASE("in Harmony <|end|> ends a message, not the generation", "[tokenizer]") {
  VocabularyBuilder builder;
  const auto end = builder.add("<|end|>", TokenKind::control);
  const auto return_ = builder.add("<|return|>", TokenKind::control);
  CHECK(generation_ends(Vocabulary(builder.metadata("gpt2"), {})) == Ids{end, return_});
  const auto call = builder.add("<|call|>", TokenKind::control);
  const auto channel = builder.add("<|channel|>", TokenKind::control);
  const Vocabulary harmony(builder.metadata("gpt2"), {});
  CHECK(generation_ends(harmony) == Ids{return_, call});
  CHECK(harmony.kind(end) == TokenKind::shown);
  CHECK(harmony.kind(channel) == TokenKind::shown);
}

TEST_CASE("vocabularies that contradict themselves are refused", "[tokenizer]") {
  const auto refuses = [](const VocabularyBuilder& builder, const std::string& part) {
    check_throws(ErrorCode::invalid_file, part, [&] { Vocabulary(builder.metadata("llama"), {}); });
  };
  refuses(VocabularyBuilder(), "tokenizer.ggml.tokens");

  VocabularyBuilder nameless;
  nameless.add("a");
  nameless.set("add_bos_token", true);
  refuses(nameless, "tokenizer.ggml.bos_token_id");
  VocabularyBuilder partless;
  partless.add("a");
  partless.set("add_sep_token", true);
  refuses(partless, "tokenizer.ggml.seperator_token_id");

  formats::Metadata few_kinds;
  few_kinds.set("tokenizer.ggml.tokens", formats::Metadata::Strings{"a", "b"});
  few_kinds.set("tokenizer.ggml.token_type", formats::Metadata::Integers{1});
  check_throws(ErrorCode::invalid_file, "tokenizer.ggml.token_type", [&] { Vocabulary(few_kinds, {}); });
}

TEST_CASE("of identical tokens a text becomes the last, and each decodes to its text", "[tokenizer]") {
  for (const char* model : {"llama", "t5", "bert"}) {
    VocabularyBuilder twice;
    twice.add("<unk>", TokenKind::unknown);
    const auto first = twice.add("▁a", TokenKind::normal, -1);
    twice.add("b", TokenKind::normal, -1);
    const auto last = twice.add("▁a", TokenKind::normal, -1);
    twice.add("[CLS]", TokenKind::control);
    twice.set("unknown_token_id", std::int64_t{0});
    twice.set("bos_token_id", std::int64_t{4});
    twice.set("seperator_token_id", std::int64_t{4});
    twice.set("add_space_prefix", true);
    const auto tokenizer = tokenizer::make_tokenizer(twice.metadata(model));
    CHECK(tokenizer->encode("a", test::kPlain) == Ids{last});
    CHECK(tokenizer->token_bytes(first) == tokenizer->token_bytes(last));
  }
}

TEST_CASE("ids outside the vocabulary are as if they were absent", "[tokenizer]") {
  for (const char* key :
       {"bos_token_id", "eos_token_id", "unknown_token_id", "seperator_token_id", "eot_token_id", "fim_pad_token_id"}) {
    VocabularyBuilder outside;
    outside.add("a");
    outside.set(key, std::int64_t{0xFFFFFFFF});
    const Vocabulary vocabulary(outside.metadata("llama"), {.bos = 0});
    CHECK(vocabulary.bos() == 0);
    CHECK_FALSE(vocabulary.eos());
    CHECK(generation_ends(vocabulary).empty());
  }
}

TEST_CASE("a kind of vocabulary that Heed does not have is unsupported, by name", "[tokenizer]") {
  formats::Metadata metadata;
  check_throws(ErrorCode::invalid_file, "tokenizer.ggml.model", [&] { tokenizer::make_tokenizer(metadata); });
  metadata.set("tokenizer.ggml.model", std::string("soundex"));
  check_throws(ErrorCode::unsupported, "tokenizer.ggml.model: tokenizer \"soundex\" is not supported",
               [&] { tokenizer::make_tokenizer(metadata); });
}
