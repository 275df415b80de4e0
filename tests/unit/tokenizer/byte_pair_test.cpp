#include <catch2/catch_test_macros.hpp>
#include <string>

#include "support/errors.hpp"
#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::check_throws;
using test::Ids;
using test::TokenKind;
using test::VocabularyBuilder;

namespace {

auto make_gpt2(const VocabularyBuilder& builder) { return tokenizer::make_tokenizer(builder.metadata("gpt2")); }

}  // namespace

TEST_CASE("byte pairs merge by rank, within words", "[tokenizer]") {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  builder.merge("b", "c");  // 256
  builder.merge("a", "b");  // 257
  builder.merge("Ġ", "a");  // 258
  builder.merge("c", "Ġ");  // 259, which no word holds
  builder.set("pre", std::string("gpt-2"));
  const auto tokenizer = make_gpt2(builder);
  CHECK(tokenizer->encode("abc") == Ids{'a', 256});
  CHECK(tokenizer->encode("ab") == Ids{257});
  CHECK(tokenizer->encode("c ab") == Ids{'c', ' ', 257});
  CHECK(tokenizer->encode("c a") == Ids{'c', 258});
  CHECK(tokenizer->encode("").empty());
  CHECK(tokenizer->decode(Ids{258, 256}) == " abc");
  CHECK(tokenizer->token_bytes(259) == "c ");
}

TEST_CASE("merges that spell a control token leave its bytes", "[tokenizer][hostile]") {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  builder.merge("a", "b");  // 256
  const auto control = builder.add("abc", TokenKind::control);
  builder.merge_only("ab c");
  const auto tokenizer = make_gpt2(builder);
  CHECK(tokenizer->encode("abc") == Ids{'a', 'b', 'c'});
  CHECK(tokenizer->encode("abc", {.parse_special = true}) == Ids{control});
}

TEST_CASE("byte pairs give back any UTF-8, and U+FFFD for each byte that is none", "[tokenizer]") {
  const auto tokenizer = make_gpt2(test::byte_level_vocabulary());
  for (const std::string text : {"naïve 中文\n\t👩‍👩‍👧", "\xED\xA0\x80", "\x7F\x01"}) {
    CHECK(tokenizer->decode(tokenizer->encode(text)) == text);
  }
  CHECK(tokenizer->decode(tokenizer->encode("a\xFF\xE2\x82z")) == "a\uFFFD\uFFFD\uFFFDz");
}

TEST_CASE("merges of the same pair keep the first rank", "[tokenizer]") {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  builder.merge("a", "b");
  builder.merge("b", "c");
  builder.merge_only("a b");
  CHECK(make_gpt2(builder)->encode("abc") == Ids{256, 'c'});
}

TEST_CASE("merges may pass through pieces that are not tokens", "[tokenizer]") {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  builder.merge_only("a b");
  builder.merge_only("Ġ ab");
  const auto abc = builder.add("abc");
  builder.merge_only("ab c");
  builder.set("pre", std::string("gpt-2"));
  const auto tokenizer = make_gpt2(builder);
  CHECK(tokenizer->encode("abc") == Ids{abc});
  CHECK(tokenizer->encode("ab") == Ids{'a', 'b'});
  CHECK(tokenizer->encode(" ab") == Ids{' ', 'a', 'b'});
}

TEST_CASE("Llama 3 takes a word that is a token as it is", "[tokenizer]") {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  const auto hello = builder.add("Ġhello");
  builder.merge("h", "e");
  builder.set("pre", std::string("gpt-2"));
  CHECK(make_gpt2(builder)->encode(" hello") == Ids{' ', hello + 1, 'l', 'l', 'o'});
  VocabularyBuilder llama3 = test::byte_level_vocabulary();
  llama3.add("Ġhello");
  llama3.add("<|begin|>", TokenKind::control);
  llama3.set("pre", std::string("llama-bpe"));
  llama3.set("bos_token_id", std::int64_t{hello + 1});
  CHECK(make_gpt2(llama3)->encode(" hello") == Ids{hello + 1, hello});
  CHECK(make_gpt2(llama3)->encode("<|begin|>", {.add_special = false, .parse_special = true}) == Ids{hello + 1});
}

TEST_CASE("bytes that the vocabulary lacks are left out", "[tokenizer]") {
  VocabularyBuilder builder;
  const auto a = builder.add("a");
  CHECK(make_gpt2(builder)->encode("xax") == Ids{a});
}

TEST_CASE("tidying depends on the pre-tokenizer's name", "[tokenizer]") {
  for (const auto& [name, text] : {std::pair("gpt-2", "Hi, it's"), std::pair("qwen2", "Hi , it 's")}) {
    VocabularyBuilder builder = test::byte_level_vocabulary();
    builder.set("pre", std::string(name));
    const auto tokenizer = make_gpt2(builder);
    const Ids ids = tokenizer->encode("Hi , it 's");
    CHECK(tokenizer->decode(ids) == "Hi , it 's");
    CHECK(tokenizer->decode(ids, {.tidy_spaces = true}) == text);
  }
}

TEST_CASE("byte pairs lose a leading space where the file says that there is one", "[tokenizer]") {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  builder.set("pre", std::string("qwen2"));
  CHECK(make_gpt2(builder)->decode(Ids{' ', 'a'}, {.tidy_spaces = true}) == " a");
  builder.set("add_space_prefix", true);
  CHECK(make_gpt2(builder)->encode("a") == Ids{'a'});
  CHECK(make_gpt2(builder)->decode(Ids{' ', 'a'}, {.tidy_spaces = true}) == "a");
}

TEST_CASE("byte pairs take a word of any length", "[tokenizer]") {
  VocabularyBuilder builder = test::byte_level_vocabulary();
  std::string run = "a";
  for (int i = 0; i < 4; ++i, run += run) builder.merge(run, run);
  CHECK(make_gpt2(builder)->encode(std::string(1 << 18, 'a')) == Ids((1 << 18) / 16, 256 + 3));
}

TEST_CASE("errors of a byte-level vocabulary name the problem", "[tokenizer]") {
  for (const char* merge : {"ab", "", "a ", " "}) {
    VocabularyBuilder builder = test::byte_level_vocabulary();
    builder.merge_only("a b");
    builder.merge_only(merge);
    check_throws(ErrorCode::invalid_file, "tokenizer.ggml.merges: merge 1 is not a pair", [&] { make_gpt2(builder); });
  }
  for (const char* name : {"gpt-5", "", "gpt-2 olmo", "gpt"}) {
    VocabularyBuilder builder = test::byte_level_vocabulary();
    builder.set("pre", std::string(name));
    check_throws(ErrorCode::unsupported, "tokenizer.ggml.pre: pre-tokenizer \"" + std::string(name) + "\" is not supported",
                 [&] { make_gpt2(builder); });
  }
  const auto tokenizer = make_gpt2(test::byte_level_vocabulary());
  check_throws(ErrorCode::invalid_argument, "256 is outside the vocabulary", [&] { tokenizer->decode(Ids{1, 256}); });
  check_throws(ErrorCode::invalid_argument, "-1 is outside the vocabulary", [&] { tokenizer->token_bytes(-1); });
}
