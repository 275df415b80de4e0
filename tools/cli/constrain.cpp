// heed constrain: the texts and tokens that a JSON Schema, a regular expression or a GBNF grammar allows.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.hpp"
#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/header.hpp"
#include "cli/output.hpp"
#include "grammar/constraint.hpp"
#include "grammar/notation.hpp"
#include "grammar/refusal.hpp"
#include "grammar/schema/json.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::cli {
namespace {

using grammar::Refusal;
using Request = grammar::Json;  // unlike the program's other JSON, it keeps the spelling of numbers and keys

[[noreturn]] void refuse_line(const std::string& message) { throw Refusal{"invalid", "", "", message}; }

void allow_only_keys(const Request& request, std::initializer_list<std::string_view> keys) {
  for (const auto& member : request.members) {
    if (std::ranges::find(keys, member.key) == keys.end()) refuse_line("unknown key \"" + member.key + "\"");
  }
}

const std::string& text_of(const Request& request, std::string_view key) {
  const Request* value = request.find(key);
  if (!value->is(Request::Kind::string)) refuse_line("\"" + std::string(key) + "\" is not a string");
  return value->text;
}

Json refused(const Refusal& refusal) {
  return {{"error", refusal.message}, {"code", refusal.code}, {"keyword", refusal.keyword}, {"path", refusal.path}};
}

class Stopwatch {
 public:
  double microseconds() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

grammar::SchemaLanguage make_language(const Request& request) {
  const Request* options = request.find("options");
  if (const Request* schema = request.find("schema")) {
    // The question here is what a schema allows, not what a model should preferably write, so everything that is not specified is
    // open.
    const auto read = grammar::read_schema_options(options ? grammar::write_json(*options) : "{}", grammar::whole_language());
    return grammar::make_language(grammar::Notation::schema, grammar::write_json(*schema), read);
  }
  if (options && !(options->is(Request::Kind::object) && options->members.empty())) refuse_line("\"options\" are of schemas only");
  if (request.find("regex")) return grammar::make_language(grammar::Notation::regex, text_of(request, "regex"));
  return grammar::make_language(grammar::Notation::gbnf, text_of(request, "gbnf"));
}

/// Answers requests, each of which may set the constraint for itself and the following ones.
class Answers {
 public:
  virtual ~Answers() = default;

  Json to(const std::string& line) {
    grammar::Budget budget;
    const Request request = grammar::read_json(line, budget);
    if (!request.is(Request::Kind::object)) refuse_line("not a JSON object");
    const int constraints = (request.find("schema") ? 1 : 0) + (request.find("regex") ? 1 : 0) + (request.find("gbnf") ? 1 : 0);
    const bool asks = request.find("b64") || request.find("ids");
    if (constraints > 1) refuse_line("only one of \"schema\", \"regex\" and \"gbnf\" makes a constraint");
    if (constraints == 0 && !asks) refuse_line("one of \"schema\", \"regex\", \"gbnf\", \"b64\" and \"ids\" is required");
    if (constraints == 0 && request.find("options")) refuse_line("\"options\" are of a constraint");
    allow_only_keys(request, {"schema", "regex", "gbnf", "options", "b64", "prefix", "ids"});
    Json made;
    if (constraints == 1) {
      made = make(request);
      if (!asks) return made;
    }
    if (!refusal_.empty()) return refusal_;
    return answer(request);
  }

 protected:
  virtual void use(std::unique_ptr<grammar::Language> language) = 0;
  virtual Json answer(const Request& request) = 0;

  std::string text(const Request& request) const {
    const auto bytes = base64::decode(text_of(request, "b64"));
    if (!bytes) refuse_line("\"b64\" is not base64");
    return *bytes;
  }

 private:
  Json make(const Request& request) {
    try {
      const Stopwatch watch;
      grammar::SchemaLanguage made = make_language(request);
      const double microseconds = watch.microseconds();
      Json ignored = Json::array();
      for (const auto& [keyword, path] : made.ignored) ignored.push_back({{"keyword", keyword}, {"path", path}});
      use(std::move(made.language));
      refusal_ = Json();
      return {{"ok", true}, {"us", microseconds}, {"ignored", std::move(ignored)}};
    } catch (const Refusal& refusal) {
      return refusal_ = refused(refusal);
    }
  }

  Json refusal_ = refused({"invalid", "", "", "there is no constraint yet"});
};

/// Answers whether texts are in the language.
class TextAnswers final : public Answers {
  void use(std::unique_ptr<grammar::Language> language) override { language_ = std::move(language); }

  Json answer(const Request& request) override {
    if (request.find("ids")) refuse_line("\"ids\" need --model and --masks");
    const Request* prefix = request.find("prefix");
    if (prefix && !prefix->is(Request::Kind::boolean)) refuse_line("\"prefix\" is neither true nor false");
    grammar::State state = language_->start();
    for (const char byte : text(request)) {
      language_->budget().refill();
      if (state != grammar::State::kDead) state = language_->step(state, static_cast<unsigned char>(byte));
    }
    const bool viable = state != grammar::State::kDead;
    if (prefix && prefix->truth) return {{"viable", viable}};
    return {{"accepted", viable && language_->accepts(state)}};
  }

  std::unique_ptr<grammar::Language> language_;
};

/// Answers which tokens may come next.
class MaskAnswers final : public Answers {
 public:
  explicit MaskAnswers(std::unique_ptr<tokenizer::Tokenizer> tokenizer)
      : tokenizer_(std::move(tokenizer)), table_(std::make_shared<grammar::TokenTable>(grammar::token_texts(*tokenizer_))) {}

 private:
  void use(std::unique_ptr<grammar::Language> language) override {
    masks_ = std::make_shared<grammar::Masks>(std::move(language), table_);
  }

  Json answer(const Request& request) override {
    if (request.find("prefix")) refuse_line("\"prefix\" is asked for without --masks");
    std::vector<tokenizer::TokenId> ids;
    Json result;
    if (request.find("b64")) {
      if (request.find("ids")) refuse_line("either \"ids\" or \"b64\"");
      ids = tokenizer_->encode(text(request), {.add_special = false, .parse_special = false});
      result["ids"] = ids;
    } else {
      ids = read_ids(*request.find("ids"));
    }
    grammar::Constraint constraint(masks_);
    result["masks"] = Json::array();
    result["us"] = Json::array();
    add_mask(constraint, result);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!constraint.accept(ids[i])) {
        result["stopped"] = i;
        break;
      }
      add_mask(constraint, result);
    }
    return result;
  }

  void add_mask(grammar::Constraint& constraint, Json& result) const {
    const Stopwatch watch;
    const auto words = constraint.mask();
    result["us"].push_back(watch.microseconds());
    std::string bytes;
    for (std::size_t i = 0; i < (tokenizer_->size() + 7) / 8; ++i) bytes.push_back(static_cast<char>(words[i / 8] >> i % 8 * 8));
    result["masks"].push_back(base64::encode(bytes));
  }

  static std::vector<tokenizer::TokenId> read_ids(const Request& list) {
    if (!list.is(Request::Kind::array)) refuse_line("\"ids\" is not a list");
    std::vector<tokenizer::TokenId> ids;
    for (const Request& id : list.items) {
      tokenizer::TokenId value = -1;
      const char* end = id.text.data() + id.text.size();
      const auto read = std::from_chars(id.text.data(), end, value);
      if (!id.is(Request::Kind::number) || read.ec != std::errc{} || read.ptr != end || value < 0)
        refuse_line(grammar::write_json(id) + " is not the id of a token");
      ids.push_back(value);
    }
    return ids;
  }

  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const grammar::TokenTable> table_;
  std::shared_ptr<grammar::Masks> masks_;
};

struct Constrain {
  std::string model;
  bool masks = false;
  bool jsonl = false;

  void operator()() const {
    std::unique_ptr<Answers> answers;
    if (masks) answers = std::make_unique<MaskAnswers>(tokenizer::make_tokenizer(read_header(model).metadata));
    else answers = std::make_unique<TextAnswers>();
    for (std::string line; std::getline(std::cin, line);) {
      Json answer;
      try {
        answer = answers->to(line);
      } catch (const Refusal& refusal) {
        answer = refused(refusal);
      }
      print(answer.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
    }
  }
};

}  // namespace

void add_constrain(CLI::App& program) {
  auto* command = program.add_subcommand("constrain", "Says which texts and tokens a schema, an expression or a grammar allows");
  auto constrain = std::make_shared<Constrain>();
  auto* model =
      command->add_option("--model", constrain->model, "A GGUF file, or one that holds only a vocabulary")->option_text("FILE");
  auto* masks = command->add_flag(
      "--masks", constrain->masks,
      R"(Answer {"ids": [...]} or {"b64": "..."}, by the vocabulary of the model, with )"
      R"({"masks": [base64, ...], "us": [...]}: the tokens that may come before each token and after the last)");
  masks->needs(model);
  model->needs(masks);
  command
      ->add_flag(
          "--jsonl", constrain->jsonl,
          R"(Answer requests on standard input, one per line: {"schema": ..., "options": {...}}, {"regex": "..."} or {"gbnf": "..."} )"
          R"(makes the constraint for the lines that follow; {"b64": "...", "prefix": false} with {"accepted": ...}, )"
          R"(or "prefix": true with {"viable": ...}: whether a text of the language is it, or begins so)")
      ->required();
  command->callback([constrain] { (*constrain)(); });
}

}  // namespace heed::cli
