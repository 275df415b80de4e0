// Writes the inputs of the constraints benchmark: the texts of a vocabulary's tokens, and valid texts of JSON Schemas as tokens.
// Arguments: a GGUF file; a file with one JSON object per line, {"schema", "tests": [{"text", "valid"}]} as in MaskBench
// (https://github.com/guidance-ai/jsonschemabench); and an output file, which gets the token texts in the format of `setVocabulary`
// in bindings/constraints. Prints {"tokens": V, "ends": [id, ...]}, then for each schema {"schema": text, "texts": [[id, ...],
// ...]}.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/error.hpp"
#include "formats/gguf.hpp"
#include "grammar/masks/token_texts.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::bench {
namespace {

using Json = nlohmann::ordered_json;  // the order of a schema's keys matters

std::ifstream open(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, "the file could not be read", path);
  return file;
}

void print(const Json& row) { std::puts(row.dump(-1, ' ', false, Json::error_handler_t::replace).c_str()); }

void write(const grammar::TokenTexts& texts, const char* path) {
  std::ofstream file(path, std::ios::binary);
  file << texts.stored();
  if (!file.flush()) throw Error(ErrorCode::io, "the file could not be written", path);
}

void prepare(const char* vocabulary, const char* cases, const char* output) {
  std::ifstream model = open(vocabulary);
  const std::string bytes(std::istreambuf_iterator<char>(model), {});
  const auto tokenizer = tokenizer::make_tokenizer(formats::read_gguf_header(std::as_bytes(std::span(bytes))).metadata);
  const grammar::TokenTexts texts = grammar::token_texts(*tokenizer);
  write(texts, output);
  Json ends = Json::array();
  for (grammar::TokenId id = 0; texts.contains(id); ++id)
    if (texts.use(id) == grammar::TokenUse::end) ends.push_back(id);
  print({{"tokens", texts.size()}, {"ends", ends}});
  std::ifstream lines = open(cases);
  for (std::string line; std::getline(lines, line);) {
    const Json row = Json::parse(line);
    Json tokens = Json::array();
    for (const Json& test : row.at("tests")) {
      if (test.at("valid"))
        tokens.push_back(tokenizer->encode(test.at("text").get<std::string>(), {.add_special = false, .parse_special = false}));
    }
    if (!tokens.empty()) print({{"schema", row.at("schema").dump()}, {"texts", tokens}});
  }
}

}  // namespace
}  // namespace heed::bench

int main(int count, char** arguments) {
  if (count != 4) return std::fputs("usage: heed_constraint_inputs VOCABULARY CASES OUTPUT\n", stderr), 2;
  try {
    heed::bench::prepare(arguments[1], arguments[2], arguments[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
