// Every vocabulary against llama.cpp's tokens, text and pieces (../shared/oracle/MANIFEST.md, Tokens).
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/base64.hpp"
#include "formats/gguf.hpp"
#include "support/files.hpp"
#include "support/json.hpp"
#include "tokenizer/tokenizer.hpp"

using namespace heed;
using nlohmann::json;
using tokenizer::TokenId;

namespace {

/// Some vocabularies are kept compressed: `npm test` unpacks them first (tools/testing/vocabularies.mjs).
formats::Metadata read_metadata(const std::string& name) {
  auto path = test::shared_file("oracle/" + name);
  if (path.extension() == ".gz") {
    path = test::source_folder() / "build" / "vocabularies" / path.stem();
    if (!std::filesystem::exists(path)) FAIL(path.string() << " is missing: npm test unpacks it");
  }
  return formats::read_gguf_header(test::read_bytes(path)).metadata;
}

std::string bytes_of(const json& value) { return base64::decode(value.get<std::string>()).value(); }

void check_case(const tokenizer::Tokenizer& tokenizer, const json& expected) {
  INFO(expected["label"].get<std::string>());
  const std::string text = bytes_of(expected["b64"]);
  const auto plain = expected["plain"].get<std::vector<TokenId>>();
  const auto parsed = expected["parse"].is_null() ? plain : expected["parse"].get<std::vector<TokenId>>();
  const auto full = expected["full"].get<std::vector<TokenId>>();
  CHECK(tokenizer.encode(text, {.add_special = false}) == plain);
  CHECK(tokenizer.encode(text, {.add_special = false, .parse_special = true}) == parsed);
  CHECK(tokenizer.encode(text, {.parse_special = true}) == full);
  CHECK(tokenizer.decode(plain, {.tidy_spaces = true}) == bytes_of(expected["detok_plain"]));
  CHECK(tokenizer.decode(full, {.special = true, .tidy_spaces = true}) == bytes_of(expected["detok_full"]));
  CHECK(tokenizer.decode(full, {.tidy_spaces = true}) == bytes_of(expected["detok_removed"]));
}

void check_vocabulary(const std::string& name) {
  const json reference = test::read_json(test::shared_file("oracle/tokens/" + name + ".json"));
  const auto tokenizer = tokenizer::make_tokenizer(read_metadata(reference["gguf"].get<std::string>()));
  REQUIRE(tokenizer->size() == reference["n_tokens"].get<std::size_t>());
  CHECK(tokenizer->bos().value_or(-1) == reference["bos"].get<TokenId>());
  CHECK(tokenizer->eos().value_or(-1) == reference["eos"].get<TokenId>());
  std::vector<TokenId> ends;
  for (TokenId id = 0; static_cast<std::size_t>(id) < tokenizer->size(); ++id) {
    if (tokenizer->ends_generation(id)) ends.push_back(id);
  }
  CHECK(ends == reference["eog"].get<std::vector<TokenId>>());

  for (const json& expected : reference["cases"]) check_case(*tokenizer, expected);
  for (const json& piece : reference["pieces"]) {
    const auto id = piece[0].get<TokenId>();
    INFO("token " << id);
    CHECK(tokenizer->token_bytes(id, true) == bytes_of(piece[1]));
    CHECK(tokenizer->token_bytes(id).size() == piece[2].get<std::size_t>());
  }
}

}  // namespace

TEST_CASE("a text in parts has the tokens of the whole", "[golden][tokens]") {
  for (const char* name : {"llama2-spm", "llama3", "qwen3", "gemma3-spm", "o200k", "mini-ugm", "mini-wpm"}) {
    const json reference = test::read_json(test::shared_file("oracle/tokens/" + std::string(name) + ".json"));
    const auto tokenizer = tokenizer::make_tokenizer(read_metadata(reference["gguf"].get<std::string>()));
    std::size_t cut = 1;
    for (const json& expected : reference["cases"]) {
      INFO(name << ", " << expected["label"].get<std::string>());
      const std::string text = bytes_of(expected["b64"]);
      std::vector<tokenizer::PromptPart> plain, control;
      for (std::size_t begin = 0; begin < text.size(); cut = cut * 5 % 23) {
        const std::string_view part = std::string_view(text).substr(begin, cut);
        plain.emplace_back(tokenizer::PlainText{part});
        control.emplace_back(tokenizer::ControlText{part});
        begin += part.size();
      }
      // Harmony's markers in plain text are not read, where llama.cpp reads them.
      if (text.find("<|start|>") == text.npos)
        CHECK(tokenizer->encode(plain, false) == expected["plain"].get<std::vector<TokenId>>());
      CHECK(tokenizer->encode(control, true) == expected["full"].get<std::vector<TokenId>>());
    }
  }
}

TEST_CASE("tokens of Llama 2 are llama.cpp's", "[golden][tokens]") { check_vocabulary("llama2-spm"); }
TEST_CASE("tokens of Llama 3 are llama.cpp's", "[golden][tokens]") { check_vocabulary("llama3"); }
TEST_CASE("tokens of Qwen 3 are llama.cpp's", "[golden][tokens]") { check_vocabulary("qwen3"); }
TEST_CASE("tokens of GPT-2 are llama.cpp's", "[golden][tokens]") { check_vocabulary("gpt2"); }
TEST_CASE("tokens of Gemma 3 are llama.cpp's", "[golden][tokens]") { check_vocabulary("gemma3-spm"); }
TEST_CASE("tokens of o200k are llama.cpp's", "[golden][tokens]") { check_vocabulary("o200k"); }
TEST_CASE("tokens of a tiny vocabulary are llama.cpp's", "[golden][tokens]") { check_vocabulary("mini-spm"); }

TEST_CASE("tokens of a tiny unigram vocabulary are llama.cpp's", "[golden][tokens]") { check_vocabulary("mini-ugm"); }
TEST_CASE("tokens of a tiny WordPiece vocabulary are llama.cpp's", "[golden][tokens]") { check_vocabulary("mini-wpm"); }

TEST_CASE("words under every pre-tokenizer's name are llama.cpp's", "[golden][tokens]") {
  const json gpt2 = test::read_json(test::shared_file("oracle/tokens/gpt2.json"))["cases"];
  const json variants = test::read_json(test::shared_file("oracle/tokens/pre-variants.json"));
  const formats::Metadata metadata = read_metadata("vocab/vocab-gpt2.gguf.gz");
  for (const json& group : variants["groups"]) {
    for (const json& name : group["pre"]) {
      formats::Metadata renamed;
      for (const auto& [key, value] : metadata.values()) {
        if (key != "tokenizer.ggml.pre") renamed.set(key, value);
      }
      renamed.set("tokenizer.ggml.pre", name.get<std::string>());
      const auto tokenizer = tokenizer::make_tokenizer(renamed);
      for (std::size_t i = 0; i < gpt2.size(); ++i) {
        INFO(name.get<std::string>() << ", " << gpt2[i]["label"].get<std::string>());
        const json& expected = group["plain"][i].is_null() ? gpt2[i]["plain"] : group["plain"][i];
        CHECK(tokenizer->encode(bytes_of(gpt2[i]["b64"]), {.add_special = false}) == expected.get<std::vector<TokenId>>());
      }
    }
  }
}

TEST_CASE("byte-level vocabularies give back any valid text", "[golden][tokens]") {
  const auto tokenizer = tokenizer::make_tokenizer(read_metadata("vocab/vocab-gpt2.gguf.gz"));
  const json reference = test::read_json(test::shared_file("oracle/tokens/gpt2.json"));
  for (const json& expected : reference["cases"]) {
    const std::string label = expected["label"].get<std::string>();
    if (label.starts_with("inv-") || label == "all-bytes") continue;
    INFO(label);
    const std::string text = bytes_of(expected["b64"]);
    CHECK(tokenizer->decode(tokenizer->encode(text)) == text);
  }
}
