#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::Ids;
using test::TokenKind;

namespace {

constexpr tokenizer::EncodeOptions kParsed{.add_special = false, .parse_special = true};

auto make_trimming(const test::VocabularyBuilder& builder, const char* key, const char* name) {
  formats::Metadata metadata = builder.metadata("gpt2");
  metadata.set(key, std::string(name));
  return tokenizer::make_tokenizer(metadata);
}

}  // namespace

TEST_CASE("tokens of Phi-3 swallow the space after them", "[tokenizer]") {
  test::VocabularyBuilder builder = test::byte_level_vocabulary();
  const auto user = builder.add("<|user|>", TokenKind::control);
  const auto text = builder.add("<|endoftext|>", TokenKind::control);
  const auto phi = make_trimming(builder, "general.name", "My Phi-3 mini");
  CHECK(phi->encode("<|user|> \n\ta<|user|>  ", kParsed) == Ids{user, 'a', user});
  CHECK(phi->encode("a <|user|><|user|> ", kParsed) == Ids{'a', ' ', user, user});
  CHECK(phi->encode("<|endoftext|> a", kParsed) == Ids{text, ' ', 'a'});
  CHECK(make_trimming(builder, "general.name", "Phi 4")->encode("<|user|> a", kParsed) == Ids{user, ' ', 'a'});
}

TEST_CASE("a Phi-3 with SentencePiece's vocabulary is known whatever its name", "[tokenizer]") {
  test::VocabularyBuilder builder = test::sentencepiece_vocabulary();
  const auto user = builder.add("<|user|>", TokenKind::control), a = builder.add("▁a");
  const auto encode = [&](const char* architecture) {
    formats::Metadata metadata = builder.metadata("llama");
    metadata.set("general.architecture", std::string(architecture));
    metadata.set("general.name", std::string("Phi 3.5 Mini Instruct"));
    return tokenizer::make_tokenizer(metadata)->encode("<|user|>\na", kParsed);
  };
  CHECK(encode("phi3") == Ids{user, a});
  CHECK(encode("llama").size() > 2);
  test::VocabularyBuilder bytes = test::byte_level_vocabulary();  // Phi-4's
  const auto other = bytes.add("<|user|>", TokenKind::control);
  CHECK(make_trimming(bytes, "general.architecture", "phi3")->encode("<|user|> a", kParsed) == Ids{other, ' ', 'a'});
}

TEST_CASE("masks swallow the space before them", "[tokenizer]") {
  test::VocabularyBuilder builder = test::byte_level_vocabulary();
  const auto mask = builder.add("<mask>", TokenKind::control);
  const auto capitals = builder.add("[MASK]", TokenKind::control);
  CHECK(make_trimming(builder, "tokenizer.ggml.pre", "jina-v2-code")->encode(" <mask> \t<mask>a <mask>", kParsed) ==
        Ids{mask, mask, 'a', mask});
  CHECK(make_trimming(builder, "general.architecture", "jina-bert-v3")->encode("a <mask> a", kParsed) == Ids{'a', mask, ' ', 'a'});
  CHECK(make_trimming(builder, "general.name", "modern-bert-base")->encode("a [MASK] <mask>", kParsed) ==
        Ids{'a', capitals, ' ', mask});
}
