// Merges of characters by rank, with byte fallback; the expectations are llama.cpp's for such vocabularies.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "support/errors.hpp"
#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::Ids;
using test::TokenId;
using test::byte_token;
using test::kBos;
using test::kPlain;
using test::VocabularyBuilder;

namespace {

auto make_gemma4(const VocabularyBuilder& builder) { return tokenizer::make_tokenizer(builder.metadata("gemma4")); }

VocabularyBuilder with_bos() {
  VocabularyBuilder builder = test::sentencepiece_vocabulary();
  builder.set("bos_token_id", std::int64_t{kBos});
  return builder;
}

}  // namespace

TEST_CASE("characters are merged by rank, and spaces are visible", "[tokenizer]") {
  VocabularyBuilder builder = with_bos();
  const auto space = builder.add("▁"), a = builder.add("a"), b = builder.add("b"), c = builder.add("c");
  builder.merge("b", "c");
  const auto bc = c + 1;
  builder.merge("a", "b");
  const auto ab = bc + 1;
  builder.merge("▁", "a");
  const auto space_a = ab + 1;
  builder.merge("c", "▁");
  const auto c_space = space_a + 1;
  const auto tokenizer = make_gemma4(builder);
  CHECK(tokenizer->encode("abc", kPlain) == Ids{a, bc});
  CHECK(tokenizer->encode("abb", kPlain) == Ids{ab, b});
  CHECK(tokenizer->encode(" a  a", kPlain) == Ids{space_a, space, space_a});
  CHECK(tokenizer->encode("b abc c", kPlain) == Ids{b, space_a, bc, space, c});
  CHECK(tokenizer->encode("c c", kPlain) == Ids{c_space, c});
  CHECK(tokenizer->encode("c▁c", kPlain) == tokenizer->encode("c c", kPlain));
  CHECK(tokenizer->encode("", kPlain).empty());
  CHECK(tokenizer->decode(tokenizer->encode(" a  a", kPlain), {.tidy_spaces = true}) == " a  a");
}

TEST_CASE("byte pairs with these pre-tokenizers are pairs of characters", "[tokenizer]") {
  VocabularyBuilder builder = with_bos();
  const auto a = builder.add("a");
  builder.add("▁");
  builder.merge("▁", "a");
  for (const std::string pre : {"gemma4", "granite-embed-multi-311m"}) {
    VocabularyBuilder named = builder;
    named.set("pre", pre);
    const auto tokenizer = tokenizer::make_tokenizer(named.metadata("gpt2"));
    CHECK(tokenizer->encode("a a", kPlain) == Ids{a, a + 2});
    CHECK(tokenizer->encode("a") == Ids{kBos, a});
    CHECK(tokenizer->decode(Ids{a, a + 2}) == "a a");
  }
}

TEST_CASE("runs of line breaks are tokens, or their line breaks are", "[tokenizer]") {
  VocabularyBuilder builder = with_bos();
  const auto a = builder.add("a"), line = builder.add("\n"), three = builder.add("\n\n\n");
  builder.merge_only("a \n");  // never happens: a run stands alone
  builder.add("a\n");
  const auto tokenizer = make_gemma4(builder);
  CHECK(tokenizer->encode("a\n\n\na", kPlain) == Ids{a, three, a});
  CHECK(tokenizer->encode("\n\na\n", kPlain) == Ids{line, line, a, line});
  CHECK(tokenizer->encode("\n\n\n\n", kPlain) == Ids{line, line, line, line});
}

TEST_CASE("a character without a token becomes its bytes, and no character the replacement's", "[tokenizer]") {
  VocabularyBuilder builder = with_bos();
  const auto a = builder.add("a");
  builder.add("▁");
  builder.merge_only("é a");  // a merged piece need not be a token
  const auto tokenizer = make_gemma4(builder);
  CHECK(tokenizer->encode("aé", kPlain) == Ids{a, byte_token(0xC3), byte_token(0xA9)});
  CHECK(tokenizer->encode("éa", kPlain) == Ids{byte_token(0xC3), byte_token(0xA9), byte_token('a')});
  CHECK(tokenizer->encode("\xFF", kPlain) == Ids{byte_token(0xEF), byte_token(0xBF), byte_token(0xBD)});
  CHECK(tokenizer->decode(tokenizer->encode("aé 中", kPlain)) == "aé 中");
}

TEST_CASE("BOS comes before a text even where the file says otherwise", "[tokenizer]") {
  VocabularyBuilder builder = with_bos();
  const auto a = builder.add("a");
  builder.set("add_bos_token", false);
  CHECK(make_gemma4(builder)->encode("a") == Ids{kBos, a});
}

TEST_CASE("a vocabulary of characters without merges, or with half of one, is refused", "[tokenizer]") {
  test::check_throws(ErrorCode::invalid_file, "tokenizer.ggml.merges: merge 0 is not a pair", [] {
    VocabularyBuilder builder = with_bos();
    builder.merge_only("a");
    make_gemma4(builder);
  });
  formats::Metadata metadata = with_bos().metadata("llama");
  formats::Metadata renamed;
  for (const auto& [key, value] : metadata.values())
    renamed.set(key, key == "tokenizer.ggml.model" ? formats::Metadata::Value(std::string("gemma4")) : value);
  test::check_throws(ErrorCode::invalid_file, "tokenizer.ggml.merges", [&] { tokenizer::make_tokenizer(renamed); });
}
