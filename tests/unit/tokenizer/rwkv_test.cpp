#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::Ids;
using test::kPlain;
using test::TokenKind;
using test::VocabularyBuilder;

namespace {

/// <s>, and the 256 bytes as the converter writes them. Token 1 + b is byte b.
VocabularyBuilder rwkv_vocabulary() {
  VocabularyBuilder builder;
  builder.add("<s>", TokenKind::control);
  for (int byte = 0; byte < 256; ++byte) {
    constexpr const char* kHex = "0123456789abcdef";
    const char character = static_cast<char>(byte);
    const bool printed = byte >= 0x20 && byte < 0x7F;
    const std::string hex = std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
    builder.add(byte == '\t'                   ? "\\t"
                : byte == '\n'                 ? "\\n"
                : byte == '\r'                 ? "\\r"
                : byte == '\'' || byte == '\\' ? std::string("\\") + character
                : printed                      ? std::string(1, character)
                                               : hex);
  }
  return builder;
}

Ids bytes_of(std::string_view text) {
  Ids ids;
  for (const char c : text) ids.push_back(1 + static_cast<unsigned char>(c));
  return ids;
}

}  // namespace

TEST_CASE("RWKV takes the longest token at each place, over any bytes", "[tokenizer]") {
  VocabularyBuilder builder = rwkv_vocabulary();
  const auto ab = builder.add("ab"), abcd = builder.add("abcd"), blank = builder.add("\\n\\n"), e = builder.add("\\xc3\\xa9"),
             half = builder.add("x\\xc3"), quoted = builder.add("\\\\\\'q");
  const auto tokenizer = tokenizer::make_tokenizer(builder.metadata("rwkv"));
  CHECK(tokenizer->encode("abcd") == Ids{abcd});
  CHECK(tokenizer->encode("abc") == Ids{ab, 1 + 'c'});
  CHECK(tokenizer->encode("a\n\n\n") == Ids{1 + 'a', blank, 1 + '\n'});
  CHECK(tokenizer->encode("é") == Ids{e});
  CHECK(tokenizer->encode("xé") == Ids{half, 1 + 0xA9});  // although é is a token
  CHECK(tokenizer->encode("\\'q\\") == Ids{quoted, 1 + '\\'});
  const std::string all = [] {
    std::string bytes;
    for (int byte = 255; byte >= 0; --byte) bytes.push_back(static_cast<char>(byte));
    return bytes;
  }();
  CHECK(tokenizer->encode(all) == bytes_of(all));
  CHECK(tokenizer->decode(tokenizer->encode(all)) == all);
  CHECK(tokenizer->decode(Ids{half, 1 + 0xA9, blank}) == "xé\n\n");
}

TEST_CASE("RWKV's text does not become its control token, unless it is marked", "[tokenizer]") {
  VocabularyBuilder builder = rwkv_vocabulary();
  builder.set("bos_token_id", std::int64_t{0});
  builder.set("eos_token_id", std::int64_t{0});
  const auto tag = builder.add("</s>");  // a word, although it would be a control token elsewhere
  const auto tokenizer = tokenizer::make_tokenizer(builder.metadata("rwkv"));
  CHECK(tokenizer->encode("a</s>") == Ids{1 + 'a', tag});
  CHECK(tokenizer->encode("<s>") == bytes_of("<s>"));
  CHECK(tokenizer->encode("a<s>", {.add_special = false, .parse_special = true}) == Ids{1 + 'a', 0});
  CHECK(tokenizer->ends_generation(0));
  builder.set("add_bos_token", true);
  CHECK(tokenizer::make_tokenizer(builder.metadata("rwkv"))->encode("a") == Ids{0, 1 + 'a'});
}

TEST_CASE("in RWKV, bytes that are no token are left out, or unknown", "[tokenizer]") {
  VocabularyBuilder builder;
  const auto unknown = builder.add("<unk>", TokenKind::unknown);
  const auto a = builder.add("a");
  builder.add("odd\\x4");  // escapes that say nothing are what they are
  builder.add("odd\\");
  CHECK(tokenizer::make_tokenizer(builder.metadata("rwkv"))->encode("abа", kPlain) == Ids{a});
  builder.set("unknown_token_id", static_cast<std::int64_t>(unknown));
  const auto tokenizer = tokenizer::make_tokenizer(builder.metadata("rwkv"));
  CHECK(tokenizer->encode("ab", kPlain) == Ids{a, unknown});
  CHECK(tokenizer->encode("oddx4", kPlain) == Ids{2});
  CHECK(tokenizer->encode("odd\\", kPlain) == Ids{3});
}
