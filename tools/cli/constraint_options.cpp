#include "cli/constraint_options.hpp"

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

std::unique_ptr<sampling::Constraint> ConstraintOptions::constraint(const tokenizer::Tokenizer& tokenizer) const {
  using grammar::Notation;
  if (!given()) return nullptr;
  grammar::SchemaOptions options;
  options.whitespace = whitespace;
  options.closed = closed;
  try {
    auto language = !json_schema.empty() ? grammar::make_language(Notation::schema, read_text(json_schema), options).language
                    : !regex.empty()     ? grammar::make_language(Notation::regex, regex).language
                                         : grammar::make_language(Notation::gbnf, read_text(grammar)).language;
    auto table = std::make_shared<const grammar::TokenTable>(grammar::token_texts(tokenizer));
    return std::make_unique<engine::GrammarConstraint>(std::make_shared<grammar::Masks>(std::move(language), std::move(table)));
  } catch (const grammar::Refusal& refusal) {
    refuse(refusal, !json_schema.empty() ? "--json-schema" : !regex.empty() ? "--regex" : "--grammar");
  }
}

}  // namespace heed::cli
