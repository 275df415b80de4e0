#include "cli/form_options.hpp"

#include <fstream>
#include <iterator>
#include <utility>

#include "base/error.hpp"
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

[[noreturn]] void refuse(const grammar::Refusal& refusal, const std::string& where) {
  std::string message = refusal.message;
  if (!refusal.keyword.empty()) message += " (" + refusal.keyword + (refusal.path.empty() ? "" : " at " + refusal.path) + ")";
  const bool lacks = refusal.code == "unsupported" || refusal.code == "too-large";
  throw Error(lacks ? ErrorCode::unsupported : ErrorCode::invalid_argument, std::move(message), where);
}

}  // namespace

void FormOptions::add_to(CLI::App& command) {
  auto* schema =
      command.add_option("--json-schema", schema_file, "Write JSON that is valid under this schema")->option_text("FILE");
  auto* whole = command.add_option("--regex", regex, "Write a text that matches this expression as a whole")->option_text("REGEX");
  auto* gbnf = command.add_option("--grammar", grammar_file, "Write a text of this GBNF grammar")->option_text("FILE");
  schema->excludes(whole)->excludes(gbnf);
  whole->excludes(gbnf);
}

std::unique_ptr<sampling::Constraint> FormOptions::constraint(const tokenizer::Tokenizer& tokenizer) const {
  using grammar::Notation;
  if (schema_file.empty() && regex.empty() && grammar_file.empty()) return nullptr;
  try {
    auto language = !schema_file.empty() ? grammar::make_language(Notation::schema, read_text(schema_file)).language
                    : !regex.empty()     ? grammar::make_language(Notation::regex, regex).language
                                         : grammar::make_language(Notation::gbnf, read_text(grammar_file)).language;
    auto table = std::make_shared<const grammar::TokenTable>(grammar::token_texts(tokenizer));
    return std::make_unique<engine::GrammarConstraint>(std::make_shared<grammar::Masks>(std::move(language), std::move(table)));
  } catch (const grammar::Refusal& refusal) {
    refuse(refusal, !schema_file.empty() ? "--json-schema" : !regex.empty() ? "--regex" : "--grammar");
  }
}

}  // namespace heed::cli
