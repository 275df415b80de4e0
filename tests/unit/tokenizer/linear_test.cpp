// Encoding takes time in proportion to the text: a mebibyte of texts that take naive algorithms quadratic time, which would be many
// minutes each.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::TokenKind;
using test::VocabularyBuilder;

namespace {

constexpr std::size_t kTextBytes = 1 << 20;

/// With tokens of up to 16 letters, spaces and ideographs.
VocabularyBuilder doubled_vocabulary(const std::string& model) {
  VocabularyBuilder builder = model == "gpt2" || model == "clip" ? test::byte_level_vocabulary() : VocabularyBuilder();
  if (model == "llama" || model == "t5" || model == "bert") {
    builder.add("<unk>", TokenKind::unknown);
    builder.set("unknown_token_id", std::int64_t{0});
    builder.set("bos_token_id", std::int64_t{0});
    builder.set("eos_token_id", std::int64_t{0});
    builder.set("seperator_token_id", std::int64_t{0});
  }
  const bool merges = model == "gpt2" || model == "clip";
  for (std::string part : {std::string("a"), std::string(merges ? "Ġ" : "▁"), std::string(merges ? "æĸĩ" : "文")}) {
    if (merges && part == "æĸĩ") {
      builder.merge("æ", "ĸ");
      builder.merge("æĸ", "ĩ");
    } else if (!merges) {
      builder.add(part, TokenKind::normal, -1);
    }
    float score = -1;
    for (int doubled = 0; doubled < 4; ++doubled, part += part) {
      if (merges) builder.merge(part, part);
      else builder.add(part + part, TokenKind::normal, score += 0.1F);
    }
  }
  for (const char* text : {"<|a|>", "aaaaaaaab"}) builder.add(text, TokenKind::user_defined);
  if (model == "clip") builder.add("<|endoftext|>", TokenKind::control);
  if (model == "t5") builder.set("add_space_prefix", true);
  return builder;
}

}  // namespace

TEST_CASE("encoding is linear in the length of the text", "[tokenizer]") {
  for (const char* model : {"llama", "gpt2", "t5", "bert", "clip"}) {
    const auto tokenizer = tokenizer::make_tokenizer(doubled_vocabulary(model).metadata(model));
    for (const std::string part : {"a", " ", "文", "<|a|", "\n", "\xE6"}) {
      std::string text;
      while (text.size() < kTextBytes) text += part;
      INFO(model << " " << part);
      CHECK(tokenizer->encode(text, {.parse_special = true}).size() <= 3 * text.size() + 2);  // of U+FFFD
    }
  }
}
