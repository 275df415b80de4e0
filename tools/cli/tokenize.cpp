// heed tokenize: text to ids and back, by the vocabulary of a model file.
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/base64.hpp"
#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/header.hpp"
#include "cli/output.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::cli {
namespace {

using tokenizer::TokenId;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::invalid_argument, message); }

bool flag(const Json& request, const char* key, bool otherwise) {
  if (!request.contains(key)) return otherwise;
  if (!request[key].is_boolean()) refuse("\"" + std::string(key) + "\" is neither true nor false");
  return request[key].get<bool>();
}

void allow_only(const Json& request, const std::set<std::string>& keys) {
  for (const auto& item : request.items()) {
    if (!keys.contains(item.key())) refuse("unknown key \"" + item.key() + "\"");
  }
}

Json encode(const tokenizer::Tokenizer& tokenizer, const Json& request) {
  allow_only(request, {"b64", "add_special", "parse_special"});
  const auto text = request["b64"].is_string() ? base64::decode(request["b64"].get<std::string>()) : std::nullopt;
  if (!text) refuse("\"b64\" is not base64");
  const tokenizer::EncodeOptions options{.add_special = flag(request, "add_special", true),
                                         .parse_special = flag(request, "parse_special", false)};
  return {{"ids", tokenizer.encode(*text, options)}};
}

/// Encodes parts: texts, or {"control": text}.
Json encode_parts(const tokenizer::Tokenizer& tokenizer, const Json& request) {
  allow_only(request, {"parts", "add_special"});
  if (!request["parts"].is_array()) refuse("\"parts\" is not a list");
  std::vector<tokenizer::PromptPart> parts;
  for (const Json& part : request["parts"]) {
    if (part.is_string()) {
      parts.emplace_back(tokenizer::PlainText{part.get_ref<const std::string&>()});
    } else {
      if (!part.is_object() || part.size() != 1 || !part.contains("control") || !part["control"].is_string())
        refuse(part.dump() + " is neither a string nor {\"control\": text}");
      parts.emplace_back(tokenizer::ControlText{part["control"].get_ref<const std::string&>()});
    }
  }
  return {{"ids", tokenizer.encode(parts, flag(request, "add_special", true))}};
}

Json decode(const tokenizer::Tokenizer& tokenizer, const Json& request) {
  allow_only(request, {"ids", "special", "tidy"});
  if (!request["ids"].is_array()) refuse("\"ids\" is not a list");
  std::vector<TokenId> ids;
  for (const Json& id : request["ids"]) {
    const bool fits = id.is_number_unsigned() && id.get<std::uint64_t>() <= std::numeric_limits<TokenId>::max();
    if (!fits) refuse(id.dump() + " is not the id of a token");
    ids.push_back(id.get<TokenId>());
  }
  const tokenizer::DecodeOptions options{.special = flag(request, "special", false), .tidy_spaces = flag(request, "tidy", false)};
  return {{"b64", base64::encode(tokenizer.decode(ids, options))}};
}

Json answer(const tokenizer::Tokenizer& tokenizer, const std::string& line) {
  const Json request = Json::parse(line, nullptr, false);
  if (!request.is_object()) refuse("not a JSON object");
  if (request.contains("b64")) return encode(tokenizer, request);
  if (request.contains("parts")) return encode_parts(tokenizer, request);
  if (request.contains("ids")) return decode(tokenizer, request);
  refuse("one of \"b64\", \"parts\" and \"ids\" is required");
}

void answer_lines(const tokenizer::Tokenizer& tokenizer) {
  std::string line;
  for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
    try {
      print(answer(tokenizer, line).dump() + '\n');
    } catch (const Error& error) {
      throw Error(error.code(), error.message(), "line " + std::to_string(number));
    }
  }
}

struct Tokenize {
  std::string path;
  std::optional<std::string> text;
  bool no_special = false;
  bool parse_special = false;
  bool jsonl = false;

  void operator()() const {
    const auto tokenizer = tokenizer::make_tokenizer(read_header(path).metadata);
    if (jsonl) return answer_lines(*tokenizer);
    const std::string input = text ? *text : std::string(std::istreambuf_iterator<char>(std::cin), {});
    std::string line;
    for (TokenId id : tokenizer->encode(input, {.add_special = !no_special, .parse_special = parse_special})) {
      if (!line.empty()) line += ',';
      line += std::to_string(id);
    }
    print(line + '\n');
  }
};

}  // namespace

void add_tokenize(CLI::App& program) {
  auto* command = program.add_subcommand("tokenize", "Prints the ids of a text, with commas between them");
  auto tokenize = std::make_shared<Tokenize>();
  command->add_option("MODEL", tokenize->path, "A GGUF file, or one that holds only a vocabulary")->required()->option_text("FILE");
  auto* text = command->add_option("TEXT", tokenize->text, "What to encode")->option_text("[standard input]");
  auto* no_special = command->add_flag("--no-special", tokenize->no_special, "Add no tokens around the text");
  auto* parse_special = command->add_flag("--parse-special", tokenize->parse_special,
                                          "Recognize control tokens written in the text");
  command
      ->add_flag("--jsonl", tokenize->jsonl,
                 R"(Answer requests on standard input, one per line: )"
                 R"({"b64": "...", "add_special": true, "parse_special": false} or )"
                 R"({"parts": ["text", {"control": "<|im_start|>"}], "add_special": true} with {"ids": [...]}, )"
                 R"({"ids": [...], "special": false, "tidy": false} with {"b64": "..."})")
      ->excludes(text, no_special, parse_special);
  command->callback([tokenize] { (*tokenize)(); });
}

}  // namespace heed::cli
