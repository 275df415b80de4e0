#include "cli/constraint_options.hpp"

#include <fstream>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "cli/output.hpp"
#include "engine/grammar_constraint.hpp"
#include "grammar/masks/token_table.hpp"
#include "grammar/notation.hpp"
#include "grammar/refusal.hpp"

namespace heed::cli {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, "cannot be opened", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

grammar::Whitespace parse_whitespace(const std::string& text) {
  const bool indents = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  try {
    const std::string value = indents ? R"({"indent": )" + text + "}" : Json(text).dump();
    return grammar::read_schema_options(R"({"whitespace": )" + value + "}").whitespace;
  } catch (const grammar::Refusal&) {
    throw CLI::ValidationError("--whitespace", text + " is not any, compact or 0 to 10");
  }
}

[[noreturn]] void refuse(const grammar::Refusal& refusal, const std::string& where) {
  std::string message = refusal.message;
  if (!refusal.keyword.empty()) message += " (" + refusal.keyword + (refusal.path.empty() ? "" : " at " + refusal.path) + ")";
  const bool lacks = refusal.code == "unsupported" || refusal.code == "too-large";
  throw Error(lacks ? ErrorCode::unsupported : ErrorCode::invalid_argument, std::move(message), where);
}

}  // namespace

void ConstraintOptions::add_to(CLI::App& command) {
  auto* schema =
      command.add_option("--json-schema", schema_file, "Write JSON that is valid under this schema")->option_text("FILE");
  auto* whole = command.add_option("--regex", regex, "Write a text that matches this expression as a whole")->option_text("REGEX");
  auto* gbnf = command.add_option("--grammar", grammar_file, "Write a text of this GBNF grammar")->option_text("FILE");
  const auto set_whitespace = [this](const std::string& text) { whitespace = parse_whitespace(text); };
  command
      .add_option_function<std::string>("--whitespace", set_whitespace,
                                        "Between the parts of the JSON, where a byte at most is by default: any, none, or indented")
      ->option_text("any|compact|N")
      ->needs(schema);
  const auto set_closed = [this](const bool& given) { closed = given ? grammar::Closed::yes : grammar::Closed::no; };
  command.add_option_function<bool>("--closed", set_closed, "Whether objects and arrays have only what the schema describes")
      ->option_text("true|false")
      ->needs(schema);
  schema->excludes(whole)->excludes(gbnf);
  whole->excludes(gbnf);
}

std::unique_ptr<sampling::Constraint> ConstraintOptions::constraint(const tokenizer::Tokenizer& tokenizer) const {
  using grammar::Notation;
  if (!given()) return nullptr;
  grammar::SchemaOptions options;
  options.whitespace = whitespace;
  options.closed = closed;
  try {
    auto language = !schema_file.empty() ? grammar::make_language(Notation::schema, read_text(schema_file), options).language
                    : !regex.empty()     ? grammar::make_language(Notation::regex, regex).language
                                         : grammar::make_language(Notation::gbnf, read_text(grammar_file)).language;
    auto table = std::make_shared<const grammar::TokenTable>(grammar::token_texts(tokenizer));
    return std::make_unique<engine::GrammarConstraint>(std::make_shared<grammar::Masks>(std::move(language), std::move(table)));
  } catch (const grammar::Refusal& refusal) {
    refuse(refusal, !schema_file.empty() ? "--json-schema" : !regex.empty() ? "--regex" : "--grammar");
  }
}

}  // namespace heed::cli
